package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * What a decision may not find out for itself (R2), recorded in the envelope of the events it emits.
 *
 * @param time the owner's estimate of database time, to the microsecond
 * @param effective business time, where it differs
 * @param random the decision's only randomness
 * @param authorization reference to what allowed it
 * @param idempotencyKey the caller's key
 * @param causation id of the event or request that caused it
 * @param correlation groups everything that belongs to one request, over all its runs
 */
public record Stamp(
        Instant time,
        Optional<Instant> effective,
        long random,
        Actor actor,
        Optional<String> authorization,
        Optional<String> idempotencyKey,
        Optional<String> causation,
        String correlation) {
    public Stamp {
        requireNonNull(time);
        requireNonNull(effective);
        requireNonNull(actor);
        requireNonNull(authorization);
        requireNonNull(idempotencyKey);
        requireNonNull(causation);
        requireNonNull(correlation);
    }
}
