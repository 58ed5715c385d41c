package dev.flowstone.engine.stuck;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads rows that may tell of runs that stand still; each look is one statement along one index, and bounded. */
public interface Suspects {
    /**
     * A row that is suspicious.
     *
     * @param workflow and {@code status} of the run; empty if there is no such run
     * @param lastSequence of the run's last event, as its row says; 0 if there is no such run
     * @param since when it last moved, or since when the thing waits
     * @param what waits: a timer's name, a message's, who writes whom; empty of a run itself
     */
    record Suspect(
            RunKey run,
            Optional<WorkflowId> workflow,
            Optional<RunStatus> status,
            long lastSequence,
            Instant since,
            String what) {
        public Suspect {
            requireNonNull(run);
            requireNonNull(workflow);
            requireNonNull(status);
            requireNonNull(since);
            requireNonNull(what);
        }
    }

    /**
     * What was looked at.
     *
     * @param next after which row, or behind which place, the next look begins; names nothing of other tenants; empty if there
     *     are no more
     */
    record Looked(List<Suspect> suspects, Optional<String> next) {
        public Looked {
            suspects = List.copyOf(suspects);
            requireNonNull(next);
        }
    }

    /** The first tenant after this one, in the order of their names, that has runs. */
    Optional<TenantId> tenantAfter(String tenant) throws JournalException;

    /** Rows that one look passes by at most, also other tenants'. */
    int ROWS = 2_000;

    /**
     * Looks at no more than {@link #ROWS} rows, in the scan's order.
     *
     * @param place what to look through, and after which row
     * @param before only what has not moved, or has waited, since before then
     * @param most suspects that are wanted
     * @throws IllegalArgumentException if no row is called like the one that the place names
     */
    Looked look(TenantId tenant, Place place, Instant before, int most) throws JournalException;
}
