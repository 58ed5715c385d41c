package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.report.Figures;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Plot;
import dev.flowstone.bench.rig.Cost;
import dev.flowstone.bench.rig.CountedJournal;
import dev.flowstone.bench.rig.Gate;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One run that gets longer and longer. At some lengths its steps are measured in turns with those of a run that has just begun, so
 * that whatever else the machine does disturbs both; then the engine ends, and another takes the run up.
 */
final class LongRun {
    private static final int ROUNDS = 9;
    private static final int TAKE_UPS = 3;

    /** Steps to a round; few where the whole run is short. */
    private static final int MOST_STEPS = 50;

    private static final int CHUNK = 500;

    private final Rig rig;
    private final StartRequest loop;
    private final Bench bench;
    private final Gate gate = new Gate();
    private final int steps;

    private LongRun(Rig rig, StartRequest loop, Bench bench) {
        this.rig = rig;
        this.loop = loop;
        this.bench = bench;
        this.steps = Math.clamp(bench.options().sizes().events() / 400, 2, MOST_STEPS);
    }

    /** What a step costs in both runs. */
    private record Pair(Cost early, Cost late, double earlyP95, double lateP95) {
        double ratio(ToDoubleFunction<Cost> cost) {
            return cost.applyAsDouble(late) / Math.max(1e-9, cost.applyAsDouble(early));
        }
    }

    /**
     * What was found at one length.
     *
     * @param firstMillis from the engine's start until it has made its first decision of the run; the median
     * @param loaded what it had to read for that
     */
    private record Mark(long events, Pair pair, double firstMillis, StoredRun loaded) {
        long tailBytes() {
            return loaded.tail().stream()
                    .mapToLong(entry -> entry.bytes().length)
                    .sum();
        }

        long snapshotBytes() {
            return loaded.snapshot()
                    .map(snapshot -> (long) snapshot.bytes().length)
                    .orElse(0L);
        }
    }

    static MeasuredReport measure(Bench bench) throws Exception {
        try (Rig rig = Rig.on(bench.server())) {
            LongRun measured = new LongRun(rig, rig.publish(Definitions.loop()), bench);
            List<Mark> marks = measured.marks();
            bench.tell("verifying every chain");
            return report(marks).chains(rig.verify()).build();
        }
    }

    private List<Mark> marks() throws Exception {
        List<Mark> marks = new ArrayList<>();
        RunKey run;
        try (Engine engine = start(new CountedJournal(rig.ports().journal()))) {
            warm(engine);
            run = begin(engine);
            engine.stop(Duration.ZERO);
        }
        for (int events : BenchSizes.steps(bench.options().sizes().events())) {
            marks.add(mark(run, events));
        }
        return marks;
    }

    /** One that is to be stopped before it is closed, without grace for what stands at the gate. */
    private Engine start(CountedJournal journal) throws InterruptedException {
        return rig.start(journal.in(rig.ports()), gate.registry(), new LoadMeter());
    }

    /** A run that stands at the gate. */
    private RunKey begin(Engine engine) throws InterruptedException {
        RunKey run = Waiting.start(engine, 1, n -> loop, bench).element().run();
        gate.door(run.run()).awaitArrival();
        return run;
    }

    /** Code that has just been started is slow, which would flatter the long run: it comes later. */
    private void warm(Engine engine) throws InterruptedException {
        Gate.Door door = gate.door(begin(engine).run());
        long end = System.nanoTime() + bench.options().trial().toNanos() * 4;
        while (System.nanoTime() < end) {
            bench.tell("warming up");
            door.go(steps);
        }
    }

    private Mark mark(RunKey run, int events) throws Exception {
        CountedJournal journal = new CountedJournal(rig.ports().journal());
        gate.door(run.run()).forget();
        Pair pair;
        try (Engine engine = start(journal)) {
            gate.door(run.run()).awaitArrival();
            while (length(run) < events) {
                bench.tell(String.format(Locale.ROOT, "one run of %,d events", length(run)));
                gate.door(run.run()).go(Math.clamp((events - length(run)) / 3, 1, CHUNK));
            }
            bench.tell(String.format(Locale.ROOT, "a step after %,d events", length(run)));
            pair = pair(gate.door(begin(engine).run()), gate.door(run.run()), journal);
            engine.stop(Duration.ZERO);
        }
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < TAKE_UPS; i++) {
            millis.add(takenUp(run));
        }
        return new Mark(length(run), pair, median(millis), stored(run));
    }

    private Pair pair(Gate.Door early, Gate.Door late, CountedJournal journal) throws Exception {
        List<Cost> earlies = new ArrayList<>();
        List<Cost> lates = new ArrayList<>();
        early.steps();
        late.steps();
        for (int i = 0; i < ROUNDS; i++) {
            earlies.add(Cost.of(rig, journal, steps, () -> early.go(steps)));
            lates.add(Cost.of(rig, journal, steps, () -> late.go(steps)));
        }
        return new Pair(
                Cost.ofRounds(earlies),
                Cost.ofRounds(lates),
                early.steps().getValueAtPercentile(95) / 1e3,
                late.steps().getValueAtPercentile(95) / 1e3);
    }

    /** From the start of an engine, on a database that was just opened, to its first decision of this run. */
    private double takenUp(RunKey run) throws Exception {
        Gate.Door door = gate.door(run.run());
        door.forget();
        rig.reopen();
        long begin = System.nanoTime();
        try (Engine engine = start(new CountedJournal(rig.ports().journal()))) {
            door.go(1);
            door.awaitArrival();
            double millis = (System.nanoTime() - begin) / 1e6;
            engine.stop(Duration.ZERO);
            return millis;
        }
    }

    private long length(RunKey run) throws JournalException {
        return rig.ports().runs().run(run.tenant(), run.run()).orElseThrow().lastSequence();
    }

    private StoredRun stored(RunKey run) throws JournalException {
        for (Shard shard : rig.ports().leases().shards()) {
            if (shard.holds(run.run().slot())) {
                return rig.ports().journal().load(shard.id(), List.of(run)).values().stream()
                        .findFirst()
                        .orElseThrow();
            }
        }
        throw new IllegalStateException("no shard holds " + run);
    }

    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static MeasuredReport.Builder report(List<Mark> marks) {
        MeasuredReport.Builder report = MeasuredReport.of("one long run");
        report.line("a step of the run, and beside it of one that has just begun, in turns:");
        report.line("   events     ms         p95 ms       KiB allocated  bytes of WAL    µs of JVM    calls"
                + "   taken up after  snapshot   tail");
        List<JsonValue> all = new ArrayList<>();
        for (Mark mark : marks) {
            report.line(line(mark));
            all.add(json(mark));
        }
        Mark last = marks.getLast();
        return report.put("marks", new JsonArray(all))
                .figure("step_ratio", "late ÷ early, time", last.pair().ratio(Cost::nanos))
                .figure("allocated_ratio", "late ÷ early, heap", last.pair().ratio(Cost::allocated))
                .figure("wal_ratio", "late ÷ early, WAL", last.pair().ratio(Cost::walBytes))
                .plot(plot("ms by the step", marks, cost -> cost.nanos() / 1e6))
                .plot(plot("bytes of heap by the step", marks, Cost::allocated))
                .plot(plot("bytes of WAL by the step", marks, Cost::walBytes))
                .plot(new Plot(
                        "ms from an engine's start to its first decision of the run",
                        "events",
                        true,
                        List.of(line("taken up", marks, Mark::firstMillis))));
    }

    private static String line(Mark mark) {
        Cost early = mark.pair().early();
        Cost late = mark.pair().late();
        return String.format(
                Locale.ROOT,
                "%,9d  %5.2f %5.2f  %5.1f %5.1f  %6.1f %6.1f  %6.0f %6.0f  %5.0f %5.0f  %4.2f %4.2f  %,8.0f ms  %,9d  %,6d",
                mark.events(),
                late.nanos() / 1e6,
                early.nanos() / 1e6,
                mark.pair().lateP95(),
                mark.pair().earlyP95(),
                late.allocated() / 1024,
                early.allocated() / 1024,
                late.walBytes(),
                early.walBytes(),
                late.processorNanos() / 1e3,
                early.processorNanos() / 1e3,
                late.calls(),
                early.calls(),
                mark.firstMillis(),
                mark.snapshotBytes(),
                mark.tailBytes());
    }

    private static JsonObject json(Mark mark) {
        return JsonObject.builder()
                .put("events", mark.events())
                .put("step", Figures.cost(mark.pair().late()))
                .put("step_p95_ms", Figures.rounded(mark.pair().lateP95()))
                .put("early_step", Figures.cost(mark.pair().early()))
                .put("early_step_p95_ms", Figures.rounded(mark.pair().earlyP95()))
                .put("first_decision_ms", Figures.rounded(mark.firstMillis()))
                .put("snapshot_bytes", mark.snapshotBytes())
                .put("tail_entries", mark.loaded().tail().size())
                .put("tail_bytes", mark.tailBytes())
                .build();
    }

    private static Plot plot(String title, List<Mark> marks, ToDoubleFunction<Cost> cost) {
        return new Plot(
                title,
                "events",
                true,
                List.of(
                        line(
                                "the long run",
                                marks,
                                mark -> cost.applyAsDouble(mark.pair().late())),
                        line(
                                "one that has just begun",
                                marks,
                                mark -> cost.applyAsDouble(mark.pair().early()))));
    }

    private static Plot.Line line(String name, List<Mark> marks, ToDoubleFunction<Mark> value) {
        return new Plot.Line(
                name,
                marks.stream()
                        .map(mark -> new Plot.Point(mark.events(), value.applyAsDouble(mark)))
                        .toList());
    }
}
