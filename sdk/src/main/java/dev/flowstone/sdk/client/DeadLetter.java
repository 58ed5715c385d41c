package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.Optional;

/**
 * What could not be taken up.
 *
 * @param source what it is, such as {@code message} or {@code effect}
 * @param reason why, such as {@code POISON}
 * @param dead whether it is tried no more by itself
 * @param attempts so far
 * @param dueAt when it is tried again
 */
public record DeadLetter(
        String id,
        String source,
        Optional<String> reason,
        boolean dead,
        int attempts,
        Optional<String> executionId,
        Optional<String> lastError,
        Optional<Instant> enqueuedAt,
        Optional<Instant> failedAt,
        Optional<Instant> dueAt,
        Optional<String> destination) {
    static DeadLetter read(Tree tree) {
        return new DeadLetter(
                tree.text("id"),
                tree.textOrEmpty("source"),
                tree.maybeText("reason"),
                tree.textOrEmpty("state").equals("dead"),
                tree.count("attempts"),
                tree.maybeText("executionId"),
                tree.maybeText("lastError"),
                tree.maybeTime("enqueuedAt"),
                tree.maybeTime("failedAt"),
                tree.maybeTime("dueAt"),
                tree.maybeText("destination"));
    }
}
