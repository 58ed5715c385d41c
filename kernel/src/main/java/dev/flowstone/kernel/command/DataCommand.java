package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;

/** What happens to the data that a run decides on. */
public sealed interface DataCommand extends Command {
    /**
     * The subject has a new version (R15).
     *
     * @param byThisRun whether a mutation that this run caused made it: decisions stay valid then
     */
    record SubjectChanged(long version, boolean byThisRun) implements DataCommand {}

    /** Somebody writes variables of the run, all at once; who it was stands in the {@link Stamp}. */
    record SetVariables(Map<String, JsonValue> values, String reason) implements DataCommand {
        public SetVariables {
            values = Map.copyOf(values);
            requireNonNull(reason);
        }
    }
}
