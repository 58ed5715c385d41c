package dev.flowstone.engine.shard;

import dev.flowstone.engine.time.Clock;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Until when a shard's lease lets it work, by this machine's clock. It may run out and be prolonged later, if nobody took the
 * shard over because the database was away for all; that is remembered. Thread-safe.
 */
final class LeaseEnd {
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Instant until;
    private boolean lapsed;

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
        lock.lock();
        try {
            Instant before = until;
            // Whoever has seen it over did so by this clock, and before the new end stood; whoever sees the new end and
            // asks whether it had lapsed waits for this.
            until = later;
            if (!clock.now().isBefore(before)) {
                lapsed = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether it had run out and was prolonged, since this was asked last. */
    boolean hadLapsed() {
        lock.lock();
        try {
            boolean was = lapsed;
            lapsed = false;
            return was;
        } finally {
            lock.unlock();
        }
    }
}
