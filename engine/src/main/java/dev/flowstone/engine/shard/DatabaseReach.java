package dev.flowstone.engine.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Whether a shard reaches the database, and until when it leaves it alone after it did not: each pause is longer than the
 * one before, until a round goes well again. For the thread that steps the shard, but for what is marked so.
 */
final class DatabaseReach {
    private final Backoff backoff;
    private final Duration longest;
    private volatile boolean reachable = true;
    private Instant notBefore = Instant.MIN;

    DatabaseReach(ShardConfig config, RandomGenerator random) {
        this.backoff = new Backoff(config.retryBase(), config.retryCap(), random);
        this.longest = config.retryCap();
    }

    /** Whether the last that was heard of it was an answer. Thread-safe. */
    boolean isReachable() {
        return reachable;
    }

    /** When the pause ends, if there is one. */
    Instant notBefore() {
        return notBefore;
    }

    /** Whether the database is still to be left alone; a clock that was ahead and is right again prolongs no pause. */
    boolean waits(Instant now) {
        return now.isBefore(notBefore) && !notBefore.isAfter(now.plus(longest));
    }

    /** It has answered. */
    void reached() {
        reachable = true;
    }

    /** It did not; tells for how long it is left alone now. */
    Duration lost(Instant now) {
        Duration pause = backoff.pause();
        reachable = false;
        notBefore = now.plus(pause);
        return pause;
    }

    /** A round that began then has gone well: the next pause is a short one, if the database is back. */
    void worked(Instant begun) {
        if (reachable && notBefore.isBefore(begun)) {
            backoff.reset();
        }
    }
}
