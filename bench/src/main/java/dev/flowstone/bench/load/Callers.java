package dev.flowstone.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** So many callers over HTTP at once; each calls again when it has its answer. */
public final class Callers {
    private final int port;
    private final LongAdder answered = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final Recorder calls = new Recorder(LoadMeter.LONGEST_MICROS, 3);
    private volatile boolean open = true;

    public Callers(int port) {
        this.port = port;
    }

    /** What one call is, for a caller on its connection. */
    @FunctionalInterface
    public interface CallMaker {
        /** Makes the next call. */
        Outcome call(HttpCaller caller) throws Exception;
    }

    /** What became of a call. */
    public enum Outcome {
        /** It was done. */
        DONE,
        /** It was refused for now, and is to be made again. */
        BUSY,
        /** There is nothing left to call for. */
        NOTHING_LEFT
    }

    /**
     * What callers saw in a window.
     *
     * @param latency of a call that was done, in microseconds
     * @param busy calls that were refused for now
     */
    public record Seen(Window window, Histogram latency, long busy) {}

    /** Calls that were done, ever. */
    public long answered() {
        return answered.sum();
    }

    /** How long callers call before it counts: at most so long, and at most so many calls. */
    public record WarmUp(Duration most, long calls) {}

    /** Lets them call for some time after a warm-up; ends early when nothing is left to call for. */
    public Seen hold(int callers, WarmUp warmUp, Duration time, String what, Watch watch, CallMaker maker)
            throws Exception {
        open = true;
        long warm = answered() + warmUp.calls();
        AtomicInteger working = new AtomicInteger(callers);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                all.add(threads.submit(caller(maker, working)));
            }
            try {
                watch.hold(warmUp.most(), "warming up: " + what, () -> working.get() == 0 || answered() >= warm);
                calls.getIntervalHistogram();
                busy.reset();
                Window window = watch.hold(time, what, () -> working.get() == 0);
                return new Seen(window, calls.getIntervalHistogram(), busy.sum());
            } finally {
                open = false;
                for (Future<Void> caller : all) {
                    await(caller);
                }
            }
        }
    }

    private static void await(Future<Void> caller) throws Exception {
        try {
            caller.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a caller failed", e.getCause());
        }
    }

    private Callable<Void> caller(CallMaker maker, AtomicInteger working) {
        return () -> {
            try (HttpCaller caller = new HttpCaller(port)) {
                while (open) {
                    long begin = System.nanoTime();
                    Outcome outcome = maker.call(caller);
                    if (outcome == Outcome.NOTHING_LEFT) {
                        break;
                    }
                    if (outcome == Outcome.BUSY) {
                        busy.increment();
                    } else {
                        calls.recordValue(LoadMeter.micros(System.nanoTime() - begin));
                        answered.increment();
                    }
                }
            } finally {
                working.decrementAndGet();
            }
            return null;
        };
    }
}
