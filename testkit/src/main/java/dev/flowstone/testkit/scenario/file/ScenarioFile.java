package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.program.Program;
import java.nio.file.Path;
import java.util.List;

/**
 * A file without a fault.
 *
 * @param definition what it tests, for reports: the definition's file, or its own if the definition stands inside
 */
public record ScenarioFile(Path file, String definition, Program program, List<Scenario> scenarios) {
    public ScenarioFile {
        requireNonNull(file);
        requireNonNull(definition);
        requireNonNull(program);
        scenarios = List.copyOf(scenarios);
    }
}
