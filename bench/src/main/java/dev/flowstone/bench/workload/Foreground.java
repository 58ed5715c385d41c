package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.OpenLoop;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What goes on in front while something heavy happens behind: a {@code sequence}, offered at half of what it was just
 * measured to make alone.
 */
final class Foreground {
    private final Watch watch;
    private final RunStarts starts;
    private final double most;
    private final double decisions;

    private Foreground(Watch watch, RunStarts starts, double most, double decisions) {
        this.watch = watch;
        this.starts = starts;
        this.most = most;
        this.decisions = decisions;
    }

    /** Measures how many runs a second it makes alone. */
    static Foreground measured(Engine engine, LoadMeter meter, Watch watch, StartRequest request, Bench bench)
            throws InterruptedException {
        Window alone = Throughput.measure(engine, meter, watch, () -> request, bench.options())
                .window();
        return new Foreground(
                watch,
                new RunStarts(engine, meter, () -> request),
                Math.max(1, alone.perSecond(alone.reading().finished())),
                Math.max(1, alone.perSecond(alone.reading().decisions().getTotalCount())));
    }

    /** Decisions a second that were made when it was measured: about how fast anything can be prepared here. */
    double decisionsPerSecond() {
        return decisions;
    }

    double offered() {
        return most / 2;
    }

    /** Does something behind it. */
    @FunctionalInterface
    interface Behind {
        /** Begins it, once the foreground has gone on alone for a while. */
        void begin() throws Exception;
    }

    /** How it went before, and while something happened behind. */
    record Seen(Window before, Window during) {}

    /** Offers the half, for some time alone, then until what happens behind is over, at most so long. */
    Seen meanwhile(Duration alone, Behind behind, BooleanSupplier over, Duration most, String what) throws Exception {
        OpenLoop loop = new OpenLoop(starts, offered());
        try {
            Window before = watch.hold(alone, "the foreground alone");
            behind.begin();
            Window during = watch.hold(most, what, over);
            if (!over.getAsBoolean()) {
                throw new IllegalStateException(what + " wasn't over within " + most.toSeconds() + " s");
            }
            return new Seen(before, during);
        } finally {
            loop.end();
        }
    }

    /** Its figures: what it made alone, and the share of its rate that it kept. */
    void tell(MeasuredReport.Builder report, Seen seen) {
        double before = seen.before().perSecond(seen.before().reading().finished());
        double during = seen.during().perSecond(seen.during().reading().finished());
        report.rate("foreground_most_per_s", "foreground's most, runs", most)
                .rate("foreground_offered_per_s", "offered, the half", offered())
                .rate("foreground_before_per_s", "made before", before)
                .rate("foreground_during_per_s", "made meanwhile", during)
                .share("foreground_kept", "kept of the offered", during / offered())
                .latency(
                        "foreground_before_ms",
                        "its runs before",
                        seen.before().reading().runs())
                .latency(
                        "foreground_during_ms",
                        "its runs meanwhile",
                        seen.during().reading().runs())
                .none(
                        "foreground_failed",
                        "runs of the foreground failed",
                        seen.before().reading().failed()
                                + seen.during().reading().failed());
    }
}
