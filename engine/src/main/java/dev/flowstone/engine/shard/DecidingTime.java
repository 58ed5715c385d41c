package dev.flowstone.engine.shard;

import dev.flowstone.engine.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long the batch at hand has been decided, without what its decisions waited for: facts come from the database, and a
 * slow one is no endless loop (ADR 0020). For the one thread that decides, but for what is marked so.
 */
final class DecidingTime {
    private final Clock clock;

    /** When it would have begun, had it never waited; null while nothing is decided. */
    private volatile @Nullable Instant since;

    /** What was spent on the batch at hand before it began to wait. */
    private Duration spent = Duration.ZERO;

    DecidingTime(Clock clock) {
        this.clock = clock;
    }

    /** A batch is decided from now on. */
    void begin() {
        since = clock.now();
    }

    /** Decisions wait for what is read for them. */
    void pause() {
        Instant from = since;
        if (from != null) {
            spent = Duration.between(from, clock.now());
            since = null;
        }
    }

    /** They go on with what was read. */
    void goOn() {
        since = clock.now().minus(spent);
    }

    /** The batch is decided, or put back. */
    void end() {
        since = null;
    }

    /** Whether a batch is being decided, and has been for so long, or longer. Thread-safe. */
    boolean isAtLeast(Duration bound) {
        Instant from = since;
        return from != null && !from.isAfter(clock.now().minus(bound));
    }
}
