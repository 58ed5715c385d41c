package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Faults;
import dev.flowstone.testkit.scenario.source.SourceException;
import dev.flowstone.testkit.scenario.source.Sources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A program in the short form of scenario files, for tests that are written in Java. */
public final class ProgramText {
    private ProgramText() {}

    /**
     * Reads what stands under {@code program:} in a scenario file.
     *
     * @throws IllegalArgumentException if it is none; says all that is wrong
     */
    public static Program program(String text) {
        JsonParser.Located document;
        try {
            document = Sources.read("program", text.getBytes(StandardCharsets.UTF_8));
        } catch (SourceException e) {
            throw new IllegalArgumentException(e);
        }
        Faults faults = new Faults(Path.of("program"), document);
        return ProgramForm.read(new Cursor(faults, "", document.value()))
                .orElseThrow(() -> new IllegalArgumentException(faults.sorted().toString()));
    }
}
