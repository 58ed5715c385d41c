package dev.flowstone.bench;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Keeps so many runs in flight: one more starts when one is over. One thread starts them all. */
final class ClosedLoop {
    private static final Duration LAST_RUNS = Duration.ofSeconds(60);

    private final Engine engine;
    private final LoadMeter meter;
    private final Semaphore places;
    private final Supplier<StartRequest> requests;
    private final Thread thread;
    private volatile boolean open = true;
    private int size;

    ClosedLoop(Engine engine, LoadMeter meter, Semaphore places, Supplier<StartRequest> requests) {
        this.engine = engine;
        this.meter = meter;
        this.places = places;
        this.requests = requests;
        this.thread = Thread.ofPlatform().name("bench-load").start(this::run);
    }

    /** From now on so many; more are let in at once, fewer as runs end. */
    void resize(int inflight) throws InterruptedException {
        if (inflight > size) {
            places.release(inflight - size);
        } else {
            places.acquire(size - inflight);
        }
        size = inflight;
    }

    private void run() {
        try {
            while (open) {
                places.acquire();
                int more = 1 + places.drainPermits();
                for (int i = 0; i < more && open; i++) {
                    start();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start() {
        StartRequest request = requests.get();
        long now = System.nanoTime();
        var _ = engine.start(request).thenAccept(answer -> answered(request, answer, now));
    }

    private void answered(StartRequest request, StartAnswer answer, long now) {
        if (answer instanceof StartAnswer.Started started) {
            meter.began(new RunKey(request.tenant(), started.run()), now);
        } else {
            places.release(); // Busy: its place is tried again
        }
    }

    /** Starts nothing more and waits until the last run is over. */
    void end() throws InterruptedException {
        open = false;
        thread.interrupt();
        thread.join();
        if (!places.tryAcquire(size, LAST_RUNS.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("runs are still in flight after " + LAST_RUNS.toSeconds() + " s");
        }
    }
}
