package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of the envelope (enterprise.md §3) that all events of one decision share.
 *
 * @param typeVersion version of the workflow
 * @param firstSequence of the decision's first event; the others follow without a gap
 * @param eventTime {@code max(stamp's time, the run's last event time)} (R2)
 * @param schemaVersion of this header's form
 */
public record EventHeader(
        int schemaVersion,
        TenantId tenant,
        WorkflowId workflow,
        int typeVersion,
        RunId run,
        long firstSequence,
        Instant eventTime,
        Optional<Instant> effectiveTime,
        Actor actor,
        Optional<String> authorization,
        Optional<String> idempotencyKey,
        Optional<String> causation,
        String correlation) {
    /** The form that this release writes. */
    public static final int SCHEMA = 1;

    public EventHeader {
        requireNonNull(tenant);
        requireNonNull(workflow);
        requireNonNull(run);
        requireNonNull(eventTime);
        requireNonNull(effectiveTime);
        requireNonNull(actor);
        requireNonNull(authorization);
        requireNonNull(idempotencyKey);
        requireNonNull(causation);
        requireNonNull(correlation);
    }
}
