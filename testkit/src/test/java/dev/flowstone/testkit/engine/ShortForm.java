package dev.flowstone.testkit.engine;

import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.program.ProgramForm;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Faults;
import dev.flowstone.testkit.scenario.source.SourceException;
import dev.flowstone.testkit.scenario.source.Sources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Programs for stories, in the short form that scenarios have. */
final class ShortForm {
    private ShortForm() {}

    static Program program(String text) {
        try {
            JsonParser.Located document = Sources.read("story", text.getBytes(StandardCharsets.UTF_8));
            Faults faults = new Faults(Path.of("story"), document);
            return ProgramForm.read(new Cursor(faults, "", document.value()))
                    .orElseThrow(() -> new AssertionError(faults.sorted()));
        } catch (SourceException e) {
            throw new AssertionError(e);
        }
    }
}
