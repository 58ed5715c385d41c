package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.ObserverPair;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.Figures;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Plot;
import dev.flowstone.bench.rig.Cost;
import dev.flowstone.bench.rig.CountedJournal;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * As many elements each time, in many narrow runs or in one wide one: what an element costs, alone; and what it does to a
 * {@code sequence} in front, offered at half of what that makes alone.
 */
final class WideRuns {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Rig rig;
    private final CountedJournal journal;
    private final LoadMeter wide;
    private final Engine engine;
    private final StartRequest request;
    private final Foreground foreground;
    private final Bench bench;

    private WideRuns(
            Rig rig,
            CountedJournal journal,
            LoadMeter wide,
            Engine engine,
            StartRequest request,
            Foreground foreground,
            Bench bench) {
        this.rig = rig;
        this.journal = journal;
        this.wide = wide;
        this.engine = engine;
        this.request = request;
        this.foreground = foreground;
        this.bench = bench;
    }

    /**
     * What was found at one width.
     *
     * @param cost of an element, alone
     * @param front the sequence, before and while they went on
     */
    private record Mark(int width, int runs, Cost cost, Foreground.Seen front) {}

    static MeasuredReport measure(Bench bench) throws Exception {
        NoOps handlers = new NoOps();
        LoadMeter wide = new LoadMeter();
        LoadMeter front = new LoadMeter();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(Definitions.wide());
            StartRequest sequence = rig.publish(Definitions.sequence());
            CountedJournal journal = new CountedJournal(rig.ports().journal());
            List<Mark> marks;
            Foreground foreground;
            try (Engine engine =
                    rig.start(journal.in(rig.ports()), handlers.registry(), new ObserverPair(wide, front))) {
                Watch watch = new Watch(front, front::over, "runs", rig.ports().clock(), bench.progress());
                foreground = Foreground.measured(engine, front, watch, sequence, bench);
                marks = new WideRuns(rig, journal, wide, engine, request, foreground, bench).marks();
            }
            bench.tell("verifying every chain");
            long failed = marks.stream()
                    .mapToLong(mark -> mark.front().before().reading().failed()
                            + mark.front().during().reading().failed())
                    .sum();
            return report(marks, foreground)
                    .none("runs_failed", "runs failed", failed + wide.read().failed())
                    .chains(rig.verify())
                    .build();
        }
    }

    private List<Mark> marks() throws Exception {
        int most = bench.options().sizes().elements();
        List<Integer> widths = IntStream.of(most / 1_000, most / 100, most / 10, most)
                .filter(width -> width > 0)
                .boxed()
                .toList();
        all(most, 1);
        List<Mark> marks = new ArrayList<>();
        for (int width : widths) {
            int runs = most / width;
            String what = String.format(Locale.ROOT, "%,d runs of %,d elements", runs, width);
            bench.tell(what);
            Cost cost = Cost.of(rig, journal, most, () -> all(width, runs));
            long over = wide.over() + runs;
            Foreground.Seen front = foreground.meanwhile(
                    bench.options().measure().dividedBy(2),
                    () -> begin(width, runs),
                    () -> wide.over() >= over,
                    LONGEST,
                    what);
            marks.add(new Mark(width, runs, cost, front));
        }
        return marks;
    }

    /** Starts so many runs and waits until they are over. */
    private void all(int width, int runs) throws InterruptedException {
        wide.places().drainPermits();
        begin(width, runs);
        if (!wide.places().tryAcquire(runs, LONGEST.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("runs are still in flight after " + LONGEST.toSeconds() + " s");
        }
    }

    private void begin(int width, int runs) throws InterruptedException {
        JsonValue[] items = new JsonValue[width];
        Arrays.setAll(items, JsonNumber::of);
        StartRequest start = Rig.with(
                request,
                JsonObject.builder().put("items", new JsonArray(List.of(items))).build());
        Waiting.start(engine, runs, n -> start, run -> wide.began(run, System.nanoTime()), bench);
    }

    private static MeasuredReport.Builder report(List<Mark> marks, Foreground foreground) {
        MeasuredReport.Builder report = MeasuredReport.of("wide runs");
        report.rate("foreground_offered_per_s", "sequences offered", foreground.offered());
        report.line("an element alone, and sequences in front, before them and while they went on:");
        report.line("    width   runs   elements/s  KiB allocated  bytes of WAL  µs of JVM  calls"
                + "   p50 ms          p95 ms          longest ms      kept");
        List<JsonValue> all = new ArrayList<>();
        for (Mark mark : marks) {
            report.line(line(mark, foreground));
            all.add(json(mark, foreground));
        }
        Cost narrow = marks.getFirst().cost();
        Cost widest = marks.getLast().cost();
        return report.put("marks", new JsonArray(all))
                .figure("element_ratio", "wide ÷ narrow, JVM", widest.processorNanos() / narrow.processorNanos())
                .figure("allocated_ratio", "wide ÷ narrow, heap", widest.allocated() / narrow.allocated())
                .figure("wal_ratio", "wide ÷ narrow, WAL", widest.walBytes() / narrow.walBytes())
                .plot(plot(
                        "bytes of heap by the element",
                        line("alone", marks, mark -> mark.cost().allocated())))
                .plot(plot(
                        "bytes of WAL by the element",
                        line("alone", marks, mark -> mark.cost().walBytes())))
                .plot(plot(
                        "p95 of sequences in front, ms",
                        line(
                                "while they go on",
                                marks,
                                mark -> millis(mark.front().during(), 95)),
                        line("before", marks, mark -> millis(mark.front().before(), 95))));
    }

    private static double millis(Window window, double percent) {
        return window.reading().runs().getValueAtPercentile(percent) / 1e3;
    }

    private static double kept(Mark mark, Foreground foreground) {
        Window during = mark.front().during();
        return during.perSecond(during.reading().finished()) / foreground.offered();
    }

    private static String line(Mark mark, Foreground foreground) {
        Cost cost = mark.cost();
        Window before = mark.front().before();
        Window during = mark.front().during();
        return String.format(
                Locale.ROOT,
                "%,9d  %,5d  %,11.0f  %13.1f  %12.0f  %9.0f  %5.3f  %6.1f %6.1f  %6.1f %7.1f  %6.1f %7.1f  %5.0f %%",
                mark.width(),
                mark.runs(),
                1e9 / cost.nanos(),
                cost.allocated() / 1024,
                cost.walBytes(),
                cost.processorNanos() / 1e3,
                cost.calls(),
                millis(before, 50),
                millis(during, 50),
                millis(before, 95),
                millis(during, 95),
                millis(before, 100),
                millis(during, 100),
                kept(mark, foreground) * 100);
    }

    private static JsonObject json(Mark mark, Foreground foreground) {
        return JsonObject.builder()
                .put("width", mark.width())
                .put("runs", mark.runs())
                .put("element", Figures.cost(mark.cost()))
                .put(
                        "foreground_before_ms",
                        Figures.quantiles(mark.front().before().reading().runs()))
                .put(
                        "foreground_during_ms",
                        Figures.quantiles(mark.front().during().reading().runs()))
                .put("foreground_kept", Figures.rounded(kept(mark, foreground)))
                .build();
    }

    private static Plot plot(String title, Plot.Line... lines) {
        return new Plot(title, "elements of a run", true, List.of(lines));
    }

    private static Plot.Line line(String name, List<Mark> marks, ToDoubleFunction<Mark> value) {
        return new Plot.Line(
                name,
                marks.stream()
                        .map(mark -> new Plot.Point(mark.width(), value.applyAsDouble(mark)))
                        .toList());
    }
}
