package dev.flowstone.engine.ownership;

import java.time.Duration;

/**
 * How long a shard stays with a node that went silent.
 *
 * @param timeToLive of a lease; renewed at a third of it
 * @param margin by which a node stops before its lease ends, by its own clock
 */
public record LeaseConfig(Duration timeToLive, Duration margin) {
    public static final LeaseConfig DEFAULT = new LeaseConfig(Duration.ofSeconds(15), Duration.ofSeconds(2));

    public LeaseConfig {
        if (margin.isNegative() || timeToLive.compareTo(margin.multipliedBy(2)) <= 0) {
            throw new IllegalArgumentException("a lease lives longer than twice its margin");
        }
    }

    /** The pause before a shard that couldn't be had is tried again. */
    Duration retry() {
        return timeToLive.dividedBy(15);
    }

    Duration renewal() {
        return timeToLive.dividedBy(3);
    }
}
