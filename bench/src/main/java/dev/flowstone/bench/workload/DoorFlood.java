package dev.flowstone.bench.workload;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts offered to the engine's own door, whatever becomes of those before: in this process and without HTTP, so that more can be
 * offered than any network brings.
 *
 * @param offered starts
 * @param accepted those that were started, durably
 * @param shed those that were told to come again
 * @param other those that were answered in another way
 * @param mostWaiting the most that waited for an answer at once
 */
record DoorFlood(long offered, long accepted, long shed, long other, long mostWaiting, double seconds) {
    private static final long BREATH = Duration.ofMillis(1).toNanos();
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(60);

    /** Offers so many a second for some time, and waits for the last answer. */
    static DoorFlood run(Engine engine, StartRequest request, double perSecond, Duration time)
            throws InterruptedException {
        LongAdder accepted = new LongAdder();
        LongAdder shed = new LongAdder();
        LongAdder other = new LongAdder();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        long offered = 0;
        long mostWaiting = 0;
        for (long now = begin; now < end; now = System.nanoTime()) {
            long due = (long) ((now - begin) / 1e9 * perSecond);
            for (; offered < due; offered++) {
                var _ = engine.start(request).whenComplete((answer, failure) -> {
                    switch (answer) {
                        case StartAnswer.Started _ -> accepted.increment();
                        case StartAnswer.Busy _, StartAnswer.OverQuota _ -> shed.increment();
                        case null, default -> other.increment();
                    }
                });
            }
            mostWaiting = Math.max(mostWaiting, offered - accepted.sum() - shed.sum() - other.sum());
            LockSupport.parkNanos(BREATH);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        long patience = System.nanoTime() + LAST_ANSWERS.toNanos();
        while (accepted.sum() + shed.sum() + other.sum() < offered && System.nanoTime() < patience) {
            Thread.sleep(Duration.ofMillis(5));
        }
        return new DoorFlood(offered, accepted.sum(), shed.sum(), other.sum(), mostWaiting, seconds);
    }

    /** Starts that were never answered. */
    long unanswered() {
        return offered - accepted - shed - other;
    }
}
