package dev.flowstone.bench.workload;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Runs that are started beforehand, through the engine's door, and not timed. */
final class Waiting {
    private static final int AT_ONCE = 1_000;
    private static final int TOLD_EVERY = 5_000;

    private Waiting() {}

    /** A run and which of the starts it came from. */
    record Started(RunKey run, int number) {}

    /** Starts so many, the n-th by the n-th request; one that is refused as busy is started again. */
    static Queue<Started> start(Engine engine, int count, IntFunction<StartRequest> requests, Bench bench)
            throws InterruptedException {
        return start(engine, count, requests, run -> {}, bench);
    }

    /** The same where somebody wants to know of each at once, on an engine thread. */
    static Queue<Started> start(
            Engine engine, int count, IntFunction<StartRequest> requests, Consumer<RunKey> began, Bench bench)
            throws InterruptedException {
        Queue<Started> started = new ConcurrentLinkedQueue<>();
        Queue<Integer> again = new ConcurrentLinkedQueue<>();
        Semaphore places = new Semaphore(AT_ONCE);
        for (int n = 0; n < count; n++) {
            one(engine, n, requests, began, started, again, places);
            if (n % TOLD_EVERY == 0) {
                bench.tell("starting runs that wait: " + n + " of " + count);
            }
        }
        places.acquire(AT_ONCE);
        while (!again.isEmpty()) {
            places.release(AT_ONCE);
            for (Integer n = again.poll(); n != null; n = again.poll()) {
                one(engine, n, requests, began, started, again, places);
            }
            places.acquire(AT_ONCE);
        }
        return started;
    }

    private static void one(
            Engine engine,
            int number,
            IntFunction<StartRequest> requests,
            Consumer<RunKey> began,
            Queue<Started> started,
            Queue<Integer> again,
            Semaphore places)
            throws InterruptedException {
        places.acquire();
        StartRequest request = requests.apply(number);
        var _ = engine.start(request).whenComplete((answer, failure) -> {
            if (answer instanceof StartAnswer.Started it) {
                RunKey run = new RunKey(request.tenant(), it.run());
                began.accept(run);
                started.add(new Started(run, number));
            } else {
                again.add(number);
            }
            places.release();
        });
    }
}
