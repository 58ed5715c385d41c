package dev.flowstone.server.subscription;

import dev.flowstone.engine.time.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What one endpoint or topic takes of this node: so many events at once, at its pace. Who waits longest comes first. Thread-safe. */
final class Gate {
    private static final Duration BURST = Duration.ofSeconds(1);

    private final Semaphore places;
    private final @Nullable Pace pace;
    private final ReentrantLock lock = new ReentrantLock();
    private long due;

    /** @param perSecond 0 for any number */
    Gate(int atOnce, double perSecond) {
        this.places = new Semaphore(atOnce, true);
        this.pace = perSecond == 0 ? null : Pace.of(perSecond, BURST);
    }

    /** Waits until there is room; {@link #leave} gives it back. */
    void enter() throws InterruptedException {
        places.acquire();
        try {
            long early = early();
            if (early > 0) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
        } catch (InterruptedException e) {
            places.release();
            throw e;
        }
    }

    private long early() {
        if (pace == null) {
            return 0;
        }
        lock.lock();
        try {
            long now = Pace.nanos(Instant.now());
            long next = pace.next(due, now);
            due = next + pace.step();
            return pace.early(next, now);
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        places.release();
    }
}
