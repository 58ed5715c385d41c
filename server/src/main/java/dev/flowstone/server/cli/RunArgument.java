package dev.flowstone.server.cli;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.List;
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

    /** The run that must be there; or it says where it may have gone. */
    static RunRow row(RunReader runs, TenantId tenant, RunId run) throws UsageException, JournalException {
        Optional<RunRow> row = runs.run(tenant, run);
        if (row.isPresent()) {
            return row.get();
        }
        List<String> files = runs.archives(tenant, run);
        throw files.isEmpty()
                ? unknown(run)
                : new UsageException("this database has no run " + run + " of this tenant any more, if it ever had;"
                        + " runs of its month that were over have gone to " + String.join(", ", files));
    }

    static UsageException unknown(RunId run) {
        return new UsageException(
                "this database has no run " + run + " of this tenant; `" + Hints.COMMAND + " runs` lists the runs");
    }
}
