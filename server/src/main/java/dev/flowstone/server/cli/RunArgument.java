package dev.flowstone.server.cli;

import dev.flowstone.kernel.id.RunId;
import java.util.Optional;

/** A run's id as an argument. */
final class RunArgument {
    private RunArgument() {}

    static RunId parse(String text) throws UsageException {
        return find(text)
                .orElseThrow(() ->
                        new UsageException("'" + text + "' is no run id; `" + Hints.COMMAND + " runs` lists the runs"));
    }

    static Optional<RunId> find(String text) {
        try {
            return Optional.of(RunId.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static UsageException unknown(RunId run) {
        return new UsageException(
                "this database has no run " + run + " of this tenant; `" + Hints.COMMAND + " runs` lists the runs");
    }
}
