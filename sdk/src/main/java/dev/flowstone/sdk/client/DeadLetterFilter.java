package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * Which dead letters.
 *
 * @param source such as {@code message} or {@code effect}
 * @param reason such as {@code POISON}
 * @param dead those that are tried no more by themselves, or those that are; if it is left out both, and to try them again only the dead
 * @param failedBefore those that failed last earlier
 */
public record DeadLetterFilter(
        Optional<String> source,
        Optional<String> reason,
        Optional<Boolean> dead,
        Optional<String> executionId,
        Optional<Instant> failedBefore) {
    /** All. */
    public static final DeadLetterFilter ALL = new DeadLetterFilter(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public DeadLetterFilter {
        requireNonNull(source);
        requireNonNull(reason);
        requireNonNull(dead);
        requireNonNull(executionId);
        requireNonNull(failedBefore);
    }

    public DeadLetterFilter withSource(String only) {
        return new DeadLetterFilter(Optional.of(only), reason, dead, executionId, failedBefore);
    }

    public DeadLetterFilter withReason(String only) {
        return new DeadLetterFilter(source, Optional.of(only), dead, executionId, failedBefore);
    }

    public DeadLetterFilter withDead(boolean only) {
        return new DeadLetterFilter(source, reason, Optional.of(only), executionId, failedBefore);
    }

    public DeadLetterFilter withExecution(String id) {
        return new DeadLetterFilter(source, reason, dead, Optional.of(id), failedBefore);
    }

    public DeadLetterFilter withFailedBefore(Instant time) {
        return new DeadLetterFilter(source, reason, dead, executionId, Optional.of(time));
    }

    private Optional<String> state() {
        return dead.map(it -> it ? "dead" : "waiting");
    }

    Call.Query query() {
        return new Call.Query()
                .add("source", source)
                .add("reason", reason)
                .add("state", state())
                .add("executionId", executionId)
                .add("failedBefore", failedBefore);
    }

    Body body() {
        return new Body()
                .put("source", source)
                .put("reason", reason)
                .put("state", state())
                .put("executionId", executionId)
                .put("failedBefore", failedBefore);
    }
}
