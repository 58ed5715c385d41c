package dev.flowstone.engine.stuck;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/**
 * A run that stands still.
 *
 * @param workflow empty if it isn't known
 * @param since when it last moved, or since when the thing waits; empty if that isn't known
 * @param why in words
 * @param help what is worth a try first
 */
public record Finding(
        RunKey run, Optional<WorkflowId> workflow, StuckKind kind, Optional<Instant> since, String why, Help help) {
    public Finding {
        requireNonNull(run);
        requireNonNull(workflow);
        requireNonNull(kind);
        requireNonNull(since);
        requireNonNull(why);
        requireNonNull(help);
    }
}
