package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Plot;
import dev.flowstone.engine.verify.ChainReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * What was seen of a quiet tenant and a hot one at one load.
 *
 * @param quiet runs that the quiet one offered, a second
 * @param hot runs that the hot one offered, a second
 * @param alone the quiet one's runs
 * @param beside the quiet one's while the hot one was there
 * @param others the hot one's
 * @param processors time that the engine and the database took of them meanwhile; empty if the database is elsewhere
 * @param refused runs of the quiet one
 */
record TwoTenants(
        double quiet,
        double hot,
        Windows alone,
        Windows beside,
        Windows others,
        Optional<Duration> processors,
        long refused) {
    private static final double MOST_TIMES = 2;

    /**
     * All loads, the smallest first.
     *
     * @param judged whether it must hold that the quiet tenant is undisturbed at the smallest
     */
    static MeasuredReport report(String name, List<TwoTenants> loads, boolean judged, ChainReport chains) {
        double most = undisturbedUpTo(loads);
        MeasuredReport.Builder report = MeasuredReport.of(name)
                .parts("loads", loads.stream().map(TwoTenants::report).toList())
                .line("")
                .rate("undisturbed_up_to_per_s", "p95 twice at most to", most)
                .plot(new Plot(
                        "A quiet tenant's p95 beside a hot one, times as long as alone",
                        "runs/s of the hot one",
                        true,
                        List.of(
                                new Plot.Line(
                                        "p95",
                                        loads.stream()
                                                .map(load -> load.point(95))
                                                .toList()),
                                new Plot.Line(
                                        "p50",
                                        loads.stream()
                                                .map(load -> load.point(50))
                                                .toList()))));
        if (judged) {
            report.must(
                    "quiet_undisturbed",
                    most > 0,
                    "the quiet tenant's p95 is more than twice as long beside the hot one, even at the smallest load");
        }
        return report.chains(chains).build();
    }

    /** What the hot one may offer; 0 if it disturbs at the smallest load. */
    private static double undisturbedUpTo(List<TwoTenants> loads) {
        double most = 0;
        for (TwoTenants load : loads) {
            if (load.times(95) > MOST_TIMES) {
                return most;
            }
            most = load.hot;
        }
        return most;
    }

    private MeasuredReport report() {
        MeasuredReport.Builder report = MeasuredReport.of(Math.round(quiet) + "/s beside " + Math.round(hot) + "/s")
                .rate("quiet_offered_per_s", "offered, quiet", quiet)
                .rate("hot_offered_per_s", "offered, hot", hot)
                .rate("quiet_per_s", "made beside it, quiet", beside.donePerSecond())
                .rate("hot_per_s", "made, hot", others.donePerSecond())
                .latency("quiet_alone_ms", "quiet tenant alone", alone.reading().runs())
                .latency(
                        "quiet_beside_ms",
                        "beside the hot one",
                        beside.reading().runs())
                .latency("hot_ms", "hot tenant", others.reading().runs())
                .figure("p50_times", "p50, times as long", times(50))
                .figure("p95_times", "p95, times as long", times(95));
        processors.ifPresent(time -> report.share("busy", "processors taken", busy(time)));
        return report.none("quiet_refused", "runs of the quiet tenant refused", refused)
                .none(
                        "runs_failed",
                        "runs failed",
                        alone.reading().failed()
                                + beside.reading().failed()
                                + others.reading().failed())
                .curve("quiet tenant alone", "runs", alone.joined())
                .curve("quiet tenant beside " + Math.round(hot) + "/s", "runs", beside.joined())
                .build();
    }

    private double busy(Duration time) {
        double all = beside.seconds() * Runtime.getRuntime().availableProcessors();
        return time.toNanos() / 1e9 / all;
    }

    private Plot.Point point(double percentile) {
        return new Plot.Point(hot, times(percentile));
    }

    private double times(double percentile) {
        Histogram before = alone.reading().runs();
        Histogram now = beside.reading().runs();
        return (double) now.getValueAtPercentile(percentile) / Math.max(1, before.getValueAtPercentile(percentile));
    }
}
