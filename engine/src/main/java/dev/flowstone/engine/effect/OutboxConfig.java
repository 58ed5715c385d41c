package dev.flowstone.engine.effect;

import java.time.Duration;

/**
 * How messages leave.
 *
 * @param page messages delivered at once
 * @param attempts in all; then it is a dead letter
 * @param base first pause; doubles, with jitter
 * @param cap longest pause
 * @param timeout of one delivery; its thread is interrupted then
 * @param poll how often the outbox is looked at when nothing tells that it filled
 */
public record OutboxConfig(int page, int attempts, Duration base, Duration cap, Duration timeout, Duration poll) {
    public static final OutboxConfig DEFAULT = new OutboxConfig(
            100, 12, Duration.ofSeconds(1), Duration.ofMinutes(10), Duration.ofSeconds(30), Duration.ofSeconds(1));

    public OutboxConfig {
        if (page < 1 || attempts < 1) {
            throw new IllegalArgumentException("a page and the attempts are at least 1");
        }
    }
}
