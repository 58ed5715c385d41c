package dev.flowstone.testkit.scenario.file;

import dev.flowstone.engine.workflow.DefinitionCompiler;
import java.util.Map;
import java.util.Set;

/** Which dialects there are, and how they are set up. */
@FunctionalInterface
public interface Compilers {
    /**
     * What compiles the definition of one file.
     *
     * @param actions that the file stubs, known beside the built-in ones
     * @param settings by name, as configuration has them
     * @throws IllegalArgumentException if a setting doesn't exist or can't have that value; the message says so
     */
    DefinitionCompiler compiler(Set<String> actions, Map<String, String> settings);
}
