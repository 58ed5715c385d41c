package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Memory;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.Figures;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.RunCopies;
import dev.flowstone.bench.rig.RunTemplate;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a full database costs: a {@code sequence} in an empty one, then beside very many runs that are over and many that
 * wait, copied from runs that the engine made, each with a chain of its own; how long an engine needs to be ready there,
 * its heap, and how long lists and counts take.
 */
final class FullWorkload implements Workload {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Runs that are counted in the full database were born later than this before the window. */
    private static final Duration YOUNG = Duration.ofMinutes(10);

    @Override
    public String name() {
        return "full";
    }

    /** A sequence that was measured, and how much of it was stored. */
    private record Made(Throughput load, StoredCount stored) {
        Window window() {
            return load.window();
        }

        double stepsPerSecond() {
            return window().perSecond(stored.steps());
        }
    }

    /** An engine's start in a full database, and what it did there. */
    private record Full(Made made, double readyMillis, long heapIdle, long heapBusy, List<Lists.Asked> lists) {}

    @Override
    public Report run(Bench bench) throws Exception {
        NoOps handlers = new NoOps();
        LoadMeter meter = new LoadMeter();
        BenchSizes sizes = bench.options().sizes();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest sequence = rig.publish(Definitions.sequence());
            StartRequest approval = rig.publish(Definitions.approval());
            Watch watch = new Watch(meter, handlers::calls, "steps", rig.ports().clock(), bench.progress());
            RunTemplate finished;
            RunTemplate waiting;
            Throughput load;
            try (Engine engine = rig.start(handlers.registry(), meter)) {
                waiting = RunTemplate.read(rig, one(engine, approval, bench));
                finished = RunTemplate.read(rig, overOne(engine, meter, watch, sequence, bench));
                load = Throughput.measure(engine, meter, watch, () -> sequence, bench.options());
            }
            Window window = load.window();
            Made empty = new Made(load, StoredCount.of(rig.entries(), window.from(), window.to()));
            long copying = System.nanoTime();
            copies(rig, "finished", bench).make(finished, sizes.finished());
            copies(rig, "waiting", bench).make(waiting, sizes.waiting());
            double copySeconds = (System.nanoTime() - copying) / 1e9;
            Full full = full(rig, handlers, meter, sequence, approval, bench);
            bench.tell("verifying every chain");
            return report(bench, rig, empty, full, copySeconds);
        }
    }

    private static RunKey one(Engine engine, StartRequest request, Bench bench) throws InterruptedException {
        return Waiting.start(engine, 1, n -> request, bench).element().run();
    }

    private static RunKey overOne(Engine engine, LoadMeter meter, Watch watch, StartRequest request, Bench bench)
            throws InterruptedException {
        long before = meter.over();
        RunKey run = Waiting.start(engine, 1, n -> request, started -> meter.began(started, System.nanoTime()), bench)
                .element()
                .run();
        watch.hold(LONGEST, "one run to be copied", () -> meter.over() > before);
        meter.places().acquire();
        return run;
    }

    private static RunCopies copies(Rig rig, String what, Bench bench) {
        return new RunCopies(rig.ports(), made -> bench.tell("copying runs that are " + what + ": " + made));
    }

    private static Full full(
            Rig rig, NoOps handlers, LoadMeter meter, StartRequest sequence, StartRequest approval, Bench bench)
            throws Exception {
        long begin = System.nanoTime();
        rig.reopen();
        try (Engine engine = rig.start(handlers.registry(), meter)) {
            double ready = (System.nanoTime() - begin) / 1e6;
            long idle = Memory.liveHeap();
            bench.tell("asking for lists and counts");
            List<Lists.Asked> lists = new Lists(rig.ports(), sequence.workflow(), approval.workflow()).ask();
            Watch watch = new Watch(meter, handlers::calls, "steps", rig.ports().clock(), bench.progress());
            Throughput load = Throughput.measure(engine, meter, watch, () -> sequence, bench.options());
            long busy = Memory.liveHeap();
            Window window = load.window();
            StoredCount stored =
                    StoredCount.ofYounger(rig.entries(), window.from().minus(YOUNG), window.from(), window.to());
            return new Full(new Made(load, stored), ready, idle, busy, lists);
        }
    }

    private Report report(Bench bench, Rig rig, Made empty, Full full, double copySeconds) throws Exception {
        BenchSizes sizes = bench.options().sizes();
        Window window = full.made().window();
        var chains = rig.verify();
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(),
                full.made().stored(),
                window.reading().commits(),
                Definitions.SEQUENCE_STEPS + 1);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("steps_per_s", "steps, full", full.made().stepsPerSecond())
                .rate("empty_steps_per_s", "steps, empty", empty.stepsPerSecond())
                .share("kept", "full ÷ empty", full.made().stepsPerSecond() / Math.max(1e-9, empty.stepsPerSecond()))
                .count("finished_runs", "runs that are over", sizes.finished())
                .count("waiting_runs", "runs that wait", sizes.waiting())
                .figure("copy_seconds", "seconds to copy them", copySeconds)
                .figure("ready_ms", "ready after, ms", full.readyMillis())
                .figure("heap_idle_mb", "heap then, MB", full.heapIdle() / 1e6)
                .figure("heap_busy_mb", "heap after load, MB", full.heapBusy() / 1e6)
                .latency("empty_run_ms", "run, empty", empty.window().reading().runs())
                .latency("run_ms", "run, full", window.reading().runs())
                .latency("decision_ms", "decision, full", window.reading().decisions());
        lists(report, full.lists());
        return report.bare(full.made().stored(), window, bare)
                .none(
                        "runs_failed",
                        "runs failed",
                        empty.window().reading().failed() + window.reading().failed())
                .chains(chains)
                .curve("sequence in an empty database", "steps", empty.window())
                .curve("sequence in a full database", "steps", window)
                .build();
    }

    private static void lists(MeasuredReport.Builder report, List<Lists.Asked> lists) {
        List<JsonValue> all = new ArrayList<>();
        double worst = 0;
        for (Lists.Asked asked : lists) {
            double p95 = asked.micros().getValueAtPercentile(95) / 1e3;
            worst = Math.max(worst, p95);
            report.line(String.format(Locale.ROOT, "%-44s p95 %,8.1f ms", asked.question(), p95));
            all.add(JsonObject.builder()
                    .put("question", asked.question())
                    .put("ms", Figures.quantiles(asked.micros()))
                    .build());
        }
        report.figure("lists_worst_p95_ms", "the slowest's p95, ms", worst).put("lists", new JsonArray(all));
    }
}
