package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Pace;
import java.time.Duration;
import java.util.Map;

/**
 * How messages leave.
 *
 * @param page messages of one shard that are delivered at once, to all destinations together
 * @param attempts in all; then it is a dead letter
 * @param base first pause; doubles, with jitter
 * @param cap longest pause, but for one that the other side asks for
 * @param timeout of one delivery; its thread is interrupted then
 * @param poll how often the outbox is looked at when nothing tells that it filled
 * @param usual what a destination takes that has no limit of its own
 * @param destinations limits of their own
 * @param failures one after another after which a destination is only probed: one message at a time, with growing pauses,
 *     until one is delivered
 */
public record OutboxConfig(
        int page,
        int attempts,
        Duration base,
        Duration cap,
        Duration timeout,
        Duration poll,
        Limit usual,
        Map<String, Limit> destinations,
        int failures) {
    /**
     * What a destination takes of this node.
     *
     * @param atOnce deliveries under way
     * @param perSecond that begin; 0 for any number
     */
    public record Limit(int atOnce, double perSecond) {
        public Limit {
            if (atOnce < 1) {
                throw new IllegalArgumentException("a destination takes 1 delivery at once, or more, not " + atOnce);
            }
            if (!Pace.isRate(perSecond)) {
                throw new IllegalArgumentException("no rate of deliveries: " + perSecond);
            }
        }
    }

    public static final OutboxConfig DEFAULT = new OutboxConfig(
            256, 12, Duration.ofSeconds(1), Duration.ofMinutes(10), Duration.ofSeconds(30), Duration.ofSeconds(1));

    /** With the usual limits for all destinations. */
    public OutboxConfig(int page, int attempts, Duration base, Duration cap, Duration timeout, Duration poll) {
        this(page, attempts, base, cap, timeout, poll, new Limit(8, 0), Map.of(), 5);
    }

    public OutboxConfig {
        if (page < 1 || attempts < 1 || failures < 1) {
            throw new IllegalArgumentException("a page, the attempts and the failures are at least 1");
        }
        requireNonNull(usual);
        destinations = Map.copyOf(destinations);
    }

    public OutboxConfig withAttempts(int most) {
        return new OutboxConfig(page, most, base, cap, timeout, poll, usual, destinations, failures);
    }

    public OutboxConfig withLimits(Limit ofAll, Map<String, Limit> own) {
        return new OutboxConfig(page, attempts, base, cap, timeout, poll, ofAll, own, failures);
    }

    public OutboxConfig withFailures(int inARow) {
        return new OutboxConfig(page, attempts, base, cap, timeout, poll, usual, destinations, inARow);
    }

    Limit limit(String destination) {
        return destinations.getOrDefault(destination, usual);
    }
}
