package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.ClosedLoop;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.OpenLoop;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Runs of one kind, as many in flight as said or as is best, or as many a second as said; and the window that was counted.
 *
 * @param inflight runs at once; empty if a rate was offered
 * @param offered runs that were offered in the window; empty if so many were kept in flight
 */
record Throughput(Window window, OptionalInt inflight, Optional<Offered> offered) {
    private static final Duration SETTLE = Duration.ofSeconds(1);

    /** How often each number is tried. */
    private static final int ROUNDS = 3;

    /** More in flight make more, and each of them wait: beyond this latency of 95 % of the decisions, most of the times, more isn't better. */
    private static final Duration BEARABLE = Duration.ofMillis(200);

    /** Runs that were offered and of them refused, as busy. */
    record Offered(double perSecond, long runs, long refused) {}

    static Throughput measure(
            Engine engine, LoadMeter meter, Watch watch, Supplier<StartRequest> requests, BenchOptions options)
            throws InterruptedException {
        RunStarts starts = new RunStarts(engine, meter, requests);
        OptionalDouble rate = options.offered();
        return rate.isPresent() ? open(starts, watch, rate.getAsDouble(), options) : closed(starts, watch, options);
    }

    /** How much was in flight, or what became of what was offered. */
    void tell(MeasuredReport.Builder report) {
        inflight.ifPresent(runs -> report.count("inflight", "runs in flight", runs));
        offered.ifPresent(rate -> report.rate("offered_per_s", "runs offered", rate.perSecond())
                .count("offered", "offered in all", rate.runs())
                .count("refused", "refused as busy", rate.refused()));
    }

    private static Throughput closed(RunStarts starts, Watch watch, BenchOptions options) throws InterruptedException {
        ClosedLoop loop = new ClosedLoop(starts);
        try {
            int inflight = options.inflight().isPresent()
                    ? given(loop, watch, options.inflight().getAsInt(), options)
                    : best(loop, watch, options);
            loop.resize(inflight);
            watch.hold(min(SETTLE, options.measure()), "settling at " + inflight + " in flight");
            Window window = watch.hold(options.measure(), inflight + " in flight");
            return new Throughput(window, OptionalInt.of(inflight), Optional.empty());
        } finally {
            loop.end();
        }
    }

    private static Throughput open(RunStarts starts, Watch watch, double rate, BenchOptions options)
            throws InterruptedException {
        OpenLoop loop = new OpenLoop(starts, rate);
        try {
            watch.hold(options.warmUp(), "warming up");
            long offered = loop.offered();
            long refused = loop.refused();
            Window window = watch.hold(options.measure(), "offered " + rate + " runs/s");
            Offered all = new Offered(rate, loop.offered() - offered, loop.refused() - refused);
            return new Throughput(window, OptionalInt.empty(), Optional.of(all));
        } finally {
            loop.end();
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static int given(ClosedLoop loop, Watch watch, int wanted, BenchOptions options)
            throws InterruptedException {
        loop.resize(wanted);
        watch.hold(options.warmUp(), "warming up at " + wanted + " in flight");
        return wanted;
    }

    /** Warmed up, then each for a moment, in turns, since one moment says little of a number that comes first or last. */
    private static int best(ClosedLoop loop, Watch watch, BenchOptions options) throws InterruptedException {
        List<Integer> trials = options.trials();
        loop.resize(trials.getFirst());
        watch.hold(options.warmUp(), "warming up");
        long[] done = new long[trials.size()];
        int[] borne = new int[trials.size()];
        for (int round = 0; round < ROUNDS && trials.size() > 1; round++) {
            for (int i = 0; i < trials.size(); i++) {
                int trial = trials.get(i);
                loop.resize(trial);
                watch.hold(min(SETTLE, options.trial()), "settling at " + trial + " in flight");
                Window window = watch.hold(options.trial(), "trying " + trial + " in flight");
                done[i] += window.done();
                borne[i] += bearable(window) ? 1 : 0;
            }
        }
        int best = 0;
        for (int i = 1; i < trials.size(); i++) {
            boolean more = done[i] > done[best] * 1.03;
            if (borne[i] > ROUNDS / 2 && (more || borne[best] <= ROUNDS / 2)) {
                best = i;
            }
        }
        return trials.get(best);
    }

    private static boolean bearable(Window window) {
        return window.reading().decisions().getValueAtPercentile(95) < LoadMeter.micros(BEARABLE.toNanos());
    }
}
