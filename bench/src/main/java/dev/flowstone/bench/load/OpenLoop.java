package dev.flowstone.bench.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Offers so many runs a second, whatever becomes of those before. A run counts from the moment it was to be started, so that
 * an engine that falls behind can't hide it; one that is refused as busy is lost.
 */
public final class OpenLoop {
    private static final long BREATH = Duration.ofMillis(1).toNanos();

    private final RunStarts starts;
    private final double perSecond;
    private final LongAdder offered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Thread thread;
    private volatile boolean open = true;

    public OpenLoop(RunStarts starts, double perSecond) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("a rate is above 0, not " + perSecond);
        }
        this.starts = starts;
        this.perSecond = perSecond;
        this.thread = Thread.ofPlatform().name("bench-load").start(this::run);
    }

    private void run() {
        long begin = System.nanoTime();
        for (long n = 0; open; n++) {
            long due = begin + (long) (n / perSecond * 1e9);
            while (open && System.nanoTime() < due) {
                LockSupport.parkNanos(Math.min(BREATH, Math.max(1, due - System.nanoTime())));
            }
            if (open) {
                offered.increment();
                starts.one(due, refused::increment);
            }
        }
    }

    /** Runs offered so far. */
    public long offered() {
        return offered.sum();
    }

    /** Of them, those that were refused. */
    public long refused() {
        return refused.sum();
    }

    /** Offers nothing more and waits until the last run is over. */
    public void end() throws InterruptedException {
        open = false;
        thread.join();
        int all = Math.toIntExact(offered());
        if (!starts.meter().places().tryAcquire(all, ClosedLoop.LAST_RUNS.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "runs are still in flight after " + ClosedLoop.LAST_RUNS.toSeconds() + " s");
        }
    }
}
