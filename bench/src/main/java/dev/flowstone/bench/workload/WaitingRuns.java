package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.InTurns;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Memory;
import dev.flowstone.bench.load.Reading;
import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.Figures;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Plot;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.RunCopies;
import dev.flowstone.bench.rig.RunTemplate;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A {@code sequence} in a database where more and more runs wait for a person, each with a timer, in turns with the same in an empty
 * one. The first measurement is of two empty ones: what it shows is the machine.
 */
final class WaitingRuns {
    private static final int ROUNDS = 6;

    private WaitingRuns() {}

    /**
     * What was found with so many.
     *
     * @param readyMillis from the start of the engine there until it took commands
     * @param heap bytes after a collection, of both engines
     */
    private record Mark(int waiting, Windows without, Windows with, double readyMillis, long heap) {
        double kept() {
            return with.donePerSecond() / Math.max(1e-9, without.donePerSecond());
        }
    }

    static MeasuredReport measure(Bench bench) throws Exception {
        try (Rig empty = Rig.on(bench.server());
                Rig filled = Rig.on(bench.server())) {
            Place without = Place.in(empty);
            Place with = Place.in(filled);
            RunTemplate waiting = template(filled, bench);
            List<Mark> marks = new ArrayList<>();
            try (Engine engine = without.start()) {
                int there = 0;
                for (int wanted : sizes(bench)) {
                    new RunCopies(filled.ports(), made -> bench.tell("copying runs that wait: " + made))
                            .make(waiting, wanted - there);
                    there = wanted;
                    marks.add(mark(there, without.side("a sequence alone", engine, bench), with, bench));
                }
            }
            bench.tell("verifying every chain");
            return report(marks)
                    .none(
                            "runs_failed",
                            "runs failed",
                            marks.stream().mapToLong(WaitingRuns::failed).sum())
                    .chains(empty.verify(), filled.verify())
                    .build();
        }
    }

    private static List<Integer> sizes(Bench bench) {
        IntStream some =
                BenchSizes.steps(bench.options().sizes().waiting()).stream().mapToInt(Integer::intValue);
        return Stream.concat(Stream.of(0), some.boxed()).toList();
    }

    /** Of a run that an engine has made, which nobody works on. */
    private static RunTemplate template(Rig rig, Bench bench) throws Exception {
        StartRequest approval = rig.publish(Definitions.approval());
        try (Engine engine = rig.start(new NoOps().registry(), new LoadMeter())) {
            return RunTemplate.read(
                    rig,
                    Waiting.start(engine, 1, n -> approval, bench).element().run());
        }
    }

    private static Mark mark(int waiting, InTurns.Side without, Place place, Bench bench) throws Exception {
        place.rig().reopen();
        long begin = System.nanoTime();
        try (Engine engine = place.start()) {
            double ready = (System.nanoTime() - begin) / 1e6;
            InTurns.Side with = place.side("beside " + waiting + " runs that wait", engine, bench);
            BenchOptions options = bench.options();
            Duration each = options.measure().dividedBy(ROUNDS);
            InTurns turns = new InTurns(without, with, options.givenOrMiddling());
            try {
                turns.warmUp(options.trial()).measure(ROUNDS, each);
            } finally {
                turns.end();
            }
            return new Mark(waiting, without.seen(), with.seen(), ready, Memory.liveHeap());
        }
    }

    private static long failed(Mark mark) {
        return mark.without().reading().failed() + mark.with().reading().failed();
    }

    private static MeasuredReport.Builder report(List<Mark> marks) {
        MeasuredReport.Builder report = MeasuredReport.of("waiting runs");
        report.line("a sequence beside them, and in turns with it one in an empty database:");
        report.line("  waiting   steps/s           kept    run p50 ms        run p95 ms         ready      heap");
        List<JsonValue> all = new ArrayList<>();
        for (Mark mark : marks) {
            report.line(line(mark));
            all.add(json(mark));
        }
        return report.put("marks", new JsonArray(all))
                .share("kept", "kept at the most", marks.getLast().kept())
                .curve(
                        "a sequence beside the most runs that wait",
                        "steps",
                        marks.getLast().with().joined())
                .curve(
                        "in turns with it, in an empty database",
                        "steps",
                        marks.getLast().without().joined())
                .plot(new Plot(
                        "steps a second of a sequence",
                        "runs that wait",
                        true,
                        List.of(
                                line("beside them", marks, mark -> mark.with().donePerSecond()),
                                line(
                                        "in an empty database",
                                        marks,
                                        mark -> mark.without().donePerSecond()))))
                .plot(new Plot(
                        "p95 of a run, ms",
                        "runs that wait",
                        true,
                        List.of(
                                line(
                                        "beside them",
                                        marks,
                                        mark -> millis(mark.with().reading(), 95)),
                                line(
                                        "in an empty database",
                                        marks,
                                        mark -> millis(mark.without().reading(), 95)))));
    }

    private static double millis(Reading reading, double percent) {
        return reading.runs().getValueAtPercentile(percent) / 1e3;
    }

    private static String line(Mark mark) {
        Reading with = mark.with().reading();
        Reading without = mark.without().reading();
        return String.format(
                Locale.ROOT,
                "%,9d  %,7.0f %,7.0f  %5.0f %%  %7.1f %7.1f  %7.1f %7.1f  %,6.0f ms  %,5.0f MB",
                mark.waiting(),
                mark.with().donePerSecond(),
                mark.without().donePerSecond(),
                mark.kept() * 100,
                millis(with, 50),
                millis(without, 50),
                millis(with, 95),
                millis(without, 95),
                mark.readyMillis(),
                mark.heap() / 1e6);
    }

    private static JsonObject json(Mark mark) {
        return JsonObject.builder()
                .put("waiting_runs", mark.waiting())
                .put("steps_per_s", Figures.rounded(mark.with().donePerSecond()))
                .put("empty_steps_per_s", Figures.rounded(mark.without().donePerSecond()))
                .put("kept", Figures.rounded(mark.kept()))
                .put("run_ms", Figures.quantiles(mark.with().reading().runs()))
                .put("empty_run_ms", Figures.quantiles(mark.without().reading().runs()))
                .put("ready_ms", Figures.rounded(mark.readyMillis()))
                .put("heap_mb", Figures.rounded(mark.heap() / 1e6))
                .build();
    }

    private static Plot.Line line(String name, List<Mark> marks, ToDoubleFunction<Mark> value) {
        return new Plot.Line(
                name,
                marks.stream()
                        .map(mark -> new Plot.Point(Math.max(1, mark.waiting()), value.applyAsDouble(mark)))
                        .toList());
    }
}
