package dev.flowstone.bench.load;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Keeps so many runs in flight: one more starts when one is over. One thread starts them all. */
public final class ClosedLoop {
    static final Duration LAST_RUNS = Duration.ofSeconds(60);

    private final RunStarts starts;
    private final Semaphore places;
    private final Thread thread;
    private volatile boolean open = true;
    private int size;

    public ClosedLoop(RunStarts starts) {
        this.starts = starts;
        this.places = starts.meter().places();
        this.thread = Thread.ofPlatform().name("bench-load").start(this::run);
    }

    /** From now on so many; more are let in at once, fewer as runs end. */
    public void resize(int inflight) throws InterruptedException {
        if (inflight > size) {
            places.release(inflight - size);
        } else {
            await(size - inflight);
        }
        size = inflight;
    }

    /** One that is refused as busy is tried again in its place. */
    private void run() {
        try {
            while (open) {
                places.acquire();
                int more = 1 + places.drainPermits();
                int started = 0;
                while (started < more && open) {
                    starts.one(System.nanoTime(), () -> {});
                    started++;
                }
                places.release(more - started);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts nothing more and waits until the last run is over. */
    public void end() throws InterruptedException {
        open = false;
        thread.interrupt();
        thread.join();
        await(size);
    }

    private void await(int ended) throws InterruptedException {
        if (!places.tryAcquire(ended, LAST_RUNS.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("runs are still in flight after " + LAST_RUNS.toSeconds() + " s");
        }
    }
}
