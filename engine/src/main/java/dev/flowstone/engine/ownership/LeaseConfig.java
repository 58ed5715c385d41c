package dev.flowstone.engine.ownership;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a shard stays with a node that went silent, and how one goes from a living node to another.
 *
 * @param timeToLive of a lease, and of a node's word that it is there; renewed at a third of it
 * @param margin by which a node stops before its lease ends, by its own clock
 * @param handOver how long the handlers of a shard that goes to another node may take to end; what then still runs is
 *     interrupted and given back. The shard takes commands meanwhile, and hands out no attempts
 */
public record LeaseConfig(Duration timeToLive, Duration margin, Duration handOver) {
    /** A dead node's shards are with others within ten seconds. */
    public static final LeaseConfig DEFAULT =
            new LeaseConfig(Duration.ofSeconds(8), Duration.ofMillis(1_500), Duration.ofSeconds(10));

    public LeaseConfig {
        if (margin.isNegative() || timeToLive.compareTo(margin.multipliedBy(2)) <= 0) {
            throw new IllegalArgumentException("a lease lives longer than twice its margin");
        }
        if (handOver.isNegative()) {
            throw new IllegalArgumentException("handlers can't have ended before a shard is handed over");
        }
    }

    /** The same, with the default time for handing over. */
    public LeaseConfig(Duration timeToLive, Duration margin) {
        this(timeToLive, margin, Duration.ofSeconds(10));
    }

    /** The pause before a shard that couldn't be had is tried again. */
    Duration retry() {
        return timeToLive.dividedBy(15);
    }

    Duration renewal() {
        return timeToLive.dividedBy(3);
    }

    /** After which nobody comes for a free shard who ought to: who lacks shards looks each {@link #retry}, others each {@link #renewal}. */
    Duration orphaned() {
        return renewal().plus(retry().multipliedBy(2));
    }

    /** For which a node that had to take more than its share keeps it. */
    Duration rest() {
        return timeToLive.multipliedBy(10);
    }

    /** Whether it is time, and also if that is further away than it can be: then the clock was set back. */
    boolean isDue(Instant at, Instant now) {
        return !now.isBefore(at) || at.isAfter(now.plus(renewal()));
    }
}
