package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How often what could not be taken up is tried again (dataflow.md §10.2).
 *
 * @param enabled whether dead letters are kept; without, what can't be read is dropped, which the log says
 * @param queue what people call the place
 * @param maxRetries after the first attempt; then it is dead
 * @param delay before each
 */
public record DeadLetterConfig(boolean enabled, String queue, int maxRetries, Duration delay) {
    public static final DeadLetterConfig DEFAULT = new DeadLetterConfig(true, "workflow-dlq", 3, Duration.ofMinutes(5));

    public DeadLetterConfig {
        requireNonNull(queue);
        if (maxRetries < 0 || delay.isNegative() || delay.isZero()) {
            throw new IllegalArgumentException("retries are 0 or more, and the delay before one is some time");
        }
    }
}
