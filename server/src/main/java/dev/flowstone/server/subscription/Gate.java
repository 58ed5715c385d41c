package dev.flowstone.server.subscription;

import dev.flowstone.engine.time.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one endpoint or topic takes of this node: so many events at once, at its pace, and nothing while it has asked to be left alone. Who
 * waits longest comes first. Thread-safe.
 */
final class Gate {
    private static final Duration BURST = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    private final int atOnce;
    private final Semaphore places;
    private final @Nullable Pace pace;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private long due;
    private long opens = System.nanoTime();

    /** @param perSecond 0 for any number */
    Gate(int atOnce, double perSecond) {
        this.atOnce = atOnce;
        this.places = new Semaphore(atOnce, true);
        this.pace = perSecond == 0 ? null : Pace.of(perSecond, BURST);
    }

    /** How many may be inside at once. */
    int places() {
        return atOnce;
    }

    /** Somebody was told to come back after so long; bounded. It goes for all who come, and begins nothing anew for who is inside. */
    void pause(Duration asked) {
        Duration bounded = asked.compareTo(LONGEST_PAUSE) < 0 ? asked : LONGEST_PAUSE;
        long until = System.nanoTime() + bounded.toNanos();
        lock.lock();
        try {
            opens = until - opens > 0 ? until : opens;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody is kept out any more. */
    void reopen() {
        lock.lock();
        try {
            opens = System.nanoTime();
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is to be left alone. */
    boolean isPaused() {
        lock.lock();
        try {
            return left() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it isn't to be left alone any more. */
    void awaitOpen() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long left = left(); left > 0; left = left()) {
                long _ = opened.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private long left() {
        return opens - System.nanoTime();
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
