package dev.flowstone.bench.torture.net;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** How all that goes through a proxy passes it, now. */
final class Weather {
    private final AtomicInteger toLose = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile Duration delay = Duration.ZERO;
    private volatile Duration jitter = Duration.ZERO;
    private volatile boolean refuses;
    private boolean still;

    /** Returns when what is under way may go on: at once, after the delay, or once it is no longer still. */
    void pass() throws InterruptedException {
        awaitMotion();
        Duration most = jitter;
        Duration wait =
                delay.plusNanos(most.isZero() ? 0 : ThreadLocalRandom.current().nextLong(most.toNanos()));
        if (!wait.isZero()) {
            Thread.sleep(wait);
            awaitMotion();
        }
    }

    private synchronized void awaitMotion() throws InterruptedException {
        while (still) {
            wait();
        }
    }

    boolean refuses() {
        return refuses;
    }

    /** Whether this answer is to be lost; each that is asked for is lost once. */
    boolean losesThisAnswer() {
        boolean loses = toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (loses) {
            lost.incrementAndGet();
        }
        return loses;
    }

    /** How many have been lost, ever. */
    int lost() {
        return lost.get();
    }

    void slow(Duration least, Duration more) {
        delay = least;
        jitter = more;
    }

    void lose(int answers) {
        toLose.set(answers);
    }

    void refuse() {
        refuses = true;
    }

    synchronized void stand() {
        still = true;
    }

    /** All passes again. */
    synchronized void clear() {
        slow(Duration.ZERO, Duration.ZERO);
        refuses = false;
        toLose.set(0);
        still = false;
        notifyAll();
    }
}
