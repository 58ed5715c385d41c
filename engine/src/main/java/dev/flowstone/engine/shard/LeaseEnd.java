package dev.flowstone.engine.shard;

import dev.flowstone.engine.time.Clock;
import java.time.Instant;

/**
 * Until when a shard's lease lets it work, by this machine's clock. It may run out and be prolonged later, if nobody took the
 * shard over because the database was away for all; that is remembered. Thread-safe.
 */
final class LeaseEnd {
    private final Clock clock;
    private volatile Instant until;
    private volatile boolean lapsed;

    LeaseEnd(Clock clock, Instant until) {
        this.clock = clock;
        this.until = until;
    }

    Instant until() {
        return until;
    }

    /**
     * Whether it has run out. The shard then says and commits nothing, but keeps what it has: it goes on as soon as the lease
     * is prolonged.
     */
    boolean isOver(Instant now) {
        return !now.isBefore(until);
    }

    boolean isOver() {
        return isOver(clock.now());
    }

    void extend(Instant later) {
        if (isOver()) {
            lapsed = true;
        }
        until = later;
    }

    /** Whether it had run out and was prolonged, since this was asked last. */
    boolean hadLapsed() {
        boolean was = lapsed;
        lapsed = false;
        return was;
    }
}
