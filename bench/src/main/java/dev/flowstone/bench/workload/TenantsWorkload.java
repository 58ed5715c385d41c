package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.ObserverPair;
import dev.flowstone.bench.load.OpenLoop;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A tenant that offers little, alone and beside one that offers a hundred times as much, in turns: how much longer its runs take
 * then. Both have the same workflow, on the same shards. Runs count from when they were to be started. It is unsound, if it was in
 * earnest, if those of 95 % take more than twice as long.
 */
final class TenantsWorkload implements Workload {
    private static final TenantId HOT = new TenantId("hot");
    private static final double QUIET = 20;
    private static final int TIMES = 100;
    private static final int TURNS = 4;
    private static final double MOST_TIMES = 2;
    private static final Duration SETTLE = Duration.ofMillis(500);

    @Override
    public String name() {
        return "tenants";
    }

    /** The quiet one's runs alone and beside the hot one, the hot one's, and how many of the quiet one's were refused. */
    private record Seen(Windows alone, Windows beside, Windows hot, long refused) {}

    @Override
    public Report run(Bench bench) throws Exception {
        double rate = bench.options().offered().orElse(QUIET);
        LoadMeter quiet = new LoadMeter();
        LoadMeter hot = new LoadMeter();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest few = rig.publish(Definitions.sequence());
            StartRequest many = rig.publish(HOT, Definitions.sequence());
            Seen seen;
            try (Engine engine = rig.start(new NoOps().registry(), new ObserverPair(quiet, hot))) {
                Watch watch = new Watch(quiet, quiet::over, "runs", rig.ports().clock(), bench.progress());
                RunStarts flood = new RunStarts(engine, hot, () -> many);
                OpenLoop loop = new OpenLoop(new RunStarts(engine, quiet, () -> few), rate);
                try {
                    seen = seen(bench, watch, loop, flood, rate * TIMES);
                } finally {
                    loop.end();
                }
            }
            bench.tell("verifying every chain");
            MeasuredReport.Builder report = report(seen, rate);
            if (bench.options().inEarnest()) {
                judge(report, seen);
            }
            return report.chains(rig.verify()).build();
        }
    }

    private static Seen seen(Bench bench, Watch watch, OpenLoop quiet, RunStarts flood, double rate)
            throws InterruptedException {
        List<Window> alone = new ArrayList<>();
        List<Window> beside = new ArrayList<>();
        List<Window> hot = new ArrayList<>();
        OpenLoop warming = new OpenLoop(flood, rate);
        try {
            watch.hold(bench.options().warmUp(), "warming up");
        } finally {
            warming.end();
        }
        Duration each = bench.options().measure().dividedBy(TURNS);
        for (int turn = 0; turn < TURNS; turn++) {
            watch.hold(SETTLE, "settling");
            alone.add(watch.hold(each, "alone"));
            OpenLoop loop = new OpenLoop(flood, rate);
            try {
                watch.hold(SETTLE, "settling");
                long before = flood.meter().over();
                flood.meter().read();
                Window window = watch.hold(each, "beside a hot tenant");
                beside.add(window);
                hot.add(new Window(
                        window.from(),
                        window.to(),
                        flood.meter().over() - before,
                        flood.meter().read(),
                        List.of()));
            } finally {
                loop.end();
            }
        }
        return new Seen(new Windows(alone), new Windows(beside), new Windows(hot), quiet.refused());
    }

    private MeasuredReport.Builder report(Seen seen, double rate) {
        Histogram alone = seen.alone().reading().runs();
        Histogram beside = seen.beside().reading().runs();
        return MeasuredReport.of(name())
                .rate("quiet_offered_per_s", "offered, quiet", rate)
                .rate("hot_offered_per_s", "offered, hot", rate * TIMES)
                .rate("quiet_per_s", "made beside it, quiet", seen.beside().donePerSecond())
                .rate("hot_per_s", "made, hot", seen.hot().donePerSecond())
                .latency("quiet_alone_ms", "quiet tenant alone", alone)
                .latency("quiet_beside_ms", "beside the hot one", beside)
                .latency("hot_ms", "hot tenant", seen.hot().reading().runs())
                .figure("p50_times", "p50, times as long", times(beside, alone, 50))
                .figure("p95_times", "p95, times as long", times(beside, alone, 95))
                .none("quiet_refused", "runs of the quiet tenant refused", seen.refused())
                .none(
                        "runs_failed",
                        "runs failed",
                        seen.alone().reading().failed()
                                + seen.beside().reading().failed()
                                + seen.hot().reading().failed())
                .curve("quiet tenant alone", "runs", seen.alone().joined())
                .curve("quiet tenant beside the hot one", "runs", seen.beside().joined());
    }

    private static void judge(MeasuredReport.Builder report, Seen seen) {
        double times =
                times(seen.beside().reading().runs(), seen.alone().reading().runs(), 95);
        report.must(
                "quiet_undisturbed",
                times <= MOST_TIMES,
                "the quiet tenant's p95 is more than twice as long beside the hot one");
    }

    private static double times(Histogram beside, Histogram alone, double percentile) {
        return (double) beside.getValueAtPercentile(percentile) / Math.max(1, alone.getValueAtPercentile(percentile));
    }
}
