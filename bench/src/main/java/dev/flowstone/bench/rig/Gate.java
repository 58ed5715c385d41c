package dev.flowstone.bench.rig;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The action of the workloads where a run goes as far as it is told to and then stands still, so that two runs can be measured in
 * turns. Its runs have one task open at a time.
 */
public final class Gate {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long MOST_MICROS = LONGEST.toNanos() / 1_000;

    private final Map<RunId, Door> doors = new ConcurrentHashMap<>();

    public HandlerRegistry registry() {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(
                        new ActionDescription(new HandlerName(NoOps.ACTION), "Waits until it may go on.", List.of()),
                        call -> {
                            door(call.run()).pass();
                            return TaskResult.ok(JsonObject.EMPTY);
                        })
                .build();
    }

    public Door door(RunId run) {
        return doors.computeIfAbsent(run, _ -> new Door());
    }

    /** One run's. */
    public static final class Door {
        private final Semaphore permits = new Semaphore(0);
        private final Semaphore arrivals = new Semaphore(0);
        private final Recorder steps = new Recorder(MOST_MICROS, 3);
        private volatile long left;

        private void pass() throws InterruptedException {
            long since = left;
            if (since != 0) {
                steps.recordValue(Math.clamp((System.nanoTime() - since) / 1_000, 0, MOST_MICROS));
            }
            arrivals.release();
            permits.acquire();
            left = System.nanoTime();
        }

        /** Waits until a task stands at the gate, which is once only. */
        public void awaitArrival() throws InterruptedException {
            await(1);
        }

        /** Lets so many steps pass, one after another; returns when the task after the last of them stands at the gate. */
        public void go(int count) throws InterruptedException {
            permits.release(count);
            await(count);
        }

        private void await(int count) throws InterruptedException {
            if (!arrivals.tryAcquire(count, LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(count + " steps weren't over within " + LONGEST.toSeconds() + " s");
            }
        }

        /**
         * How long steps took since this was asked last, in microseconds: from a task's answer, over its commit, to the next
         * task's handler.
         */
        public Histogram steps() {
            return steps.getIntervalHistogram();
        }

        /** The engine has ended: what stood at the gate comes back. */
        public void forget() {
            left = 0;
            permits.drainPermits();
            arrivals.drainPermits();
        }
    }
}
