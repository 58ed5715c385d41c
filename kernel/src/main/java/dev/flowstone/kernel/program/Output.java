package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonValue;

/** What a run's output is made of. */
public sealed interface Output {
    /** The output of the one succeeded terminal node, or a map by node id if there are several. */
    Output TERMINALS = new Terminals();

    /** See {@link #TERMINALS}. */
    record Terminals() implements Output {}

    /** A template, rendered when the run succeeds. */
    record Template(JsonValue value) implements Output {
        public Template {
            requireNonNull(value);
        }
    }
}
