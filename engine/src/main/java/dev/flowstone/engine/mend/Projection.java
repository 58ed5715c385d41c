package dev.flowstone.engine.mend;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A run's rows beside its log, as of one of its events: as they are stored, or as its log says that they should be.
 *
 * @param lastSequence number of that event
 * @param awake see {@link dev.flowstone.engine.journal.RunMove}
 * @param endedAt if the status is final
 * @param tasks human tasks that are open; of those that are stored only parties that lists find them by
 * @param snapshot the newest that is stored; of what the log says, one at that event
 */
public record Projection(
        RunKey run,
        WorkflowId workflow,
        long lastSequence,
        RunStatus status,
        boolean awake,
        Optional<Instant> endedAt,
        List<TimerRow> timers,
        List<HumanTaskRow> tasks,
        Optional<Snapshot> snapshot) {
    public Projection {
        requireNonNull(run);
        requireNonNull(workflow);
        requireNonNull(status);
        requireNonNull(endedAt);
        timers = List.copyOf(timers);
        tasks = List.copyOf(tasks);
        requireNonNull(snapshot);
    }
}
