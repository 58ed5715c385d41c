package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.Definition;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.postgres.ServerWork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs whose steps do nothing, each durably recorded before the next one starts. A step counts if its handler ran and its
 * {@code TaskCompleted} event is stored.
 *
 * @param definitions of which as many runs are started, in turns
 * @param steps of a run; each is one decision, and so is the start
 * @param chain decisions that must follow each other in a run
 * @param payloadBytes that each step answers
 */
record StepWorkload(String name, List<Definition> definitions, int steps, int chain, int payloadBytes)
        implements Workload {
    StepWorkload {
        requireNonNull(name);
        definitions = List.copyOf(definitions);
    }

    /** Runs of five no-op steps, one after another. */
    static StepWorkload sequence() {
        return answering("sequence", 0);
    }

    /** Runs of one step, ten beside each other and one that joins them. */
    static StepWorkload fanOut() {
        return new StepWorkload("fan-out", List.of(Definitions.fanOut()), Definitions.FAN_OUT_STEPS, 4, 0);
    }

    /** A sequence whose steps answer so many bytes. */
    static StepWorkload answering(String name, int payloadBytes) {
        int steps = Definitions.SEQUENCE_STEPS;
        return new StepWorkload(name, List.of(Definitions.sequence()), steps, steps + 1, payloadBytes);
    }

    @Override
    public MeasuredReport run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        NoOps handlers = new NoOps(payloadBytes);
        try (Rig rig = Rig.on(bench.server())) {
            List<StartRequest> requests = new ArrayList<>();
            for (Definition definition : definitions) {
                requests.add(rig.publish(definition));
            }
            AtomicInteger turn = new AtomicInteger();
            Watch watch = new Watch(meter, handlers::calls, "steps", rig.ports().clock(), bench.progress());
            Throughput load;
            ServerWork before = rig.work();
            try (Engine engine = rig.start(handlers.registry(), meter)) {
                load = Throughput.measure(
                        engine,
                        meter,
                        watch,
                        () -> requests.get(Math.floorMod(turn.getAndIncrement(), requests.size())),
                        bench.options());
            }
            ServerWork work = rig.work().since(before);
            bench.tell("verifying every chain");
            Window window = load.window();
            StoredCount stored = StoredCount.of(rig.entries(), window.from(), window.to());
            MeasuredReport.Builder report = MeasuredReport.of(name);
            head(report, load, stored, handlers);
            if (definitions.size() > 1) {
                report.count("workflows", "workflows in turns", definitions.size());
            }
            report.put("shards", rig.ports().leases().shards().size());
            var chains = rig.verify();
            BareComparison bare = bench.bare(
                    rig.ports().leases().shards(), stored, window.reading().commits(), steps + 1);
            report.bare(stored, window, bare);
            beside(report, window, bare);
            report.work(work, handlers.calls());
            return report.none("runs_failed", "runs failed", window.reading().failed())
                    .chains(chains)
                    .curve(name, "steps", window)
                    .build();
        }
    }

    private void head(MeasuredReport.Builder report, Throughput load, StoredCount stored, NoOps handlers) {
        Window window = load.window();
        report.rate("steps_per_s", "steps", window.perSecond(stored.steps()))
                .rate("runs_per_s", "runs", window.perSecond(stored.runs()))
                .figure("seconds", "seconds", window.seconds())
                .put("steps", stored.steps())
                .put("handler_calls", handlers.calls());
        if (payloadBytes > 0) {
            report.count("payload_bytes", "bytes of each answer", payloadBytes)
                    .figure(
                            "payload_mb_per_s",
                            "MB of answers a second",
                            window.perSecond(stored.steps() * payloadBytes) / 1e6);
        }
        load.tell(report);
        report.latency("run_ms", "run of " + steps + " steps", window.reading().runs())
                .latency("decision_ms", "decision", window.reading().decisions());
    }

    /** The fairest yardstick for a run's own time: as many bare commits, one after another, at the engine's batch. */
    private void beside(MeasuredReport.Builder report, Window window, BareComparison bare) {
        double commits = chain * (bare.atEngineBatch().p50().toNanos() / 1e6);
        double run = window.reading().runs().getValueAtPercentile(50) / 1e3;
        report.figure("bare_commits_ms", chain + " bare commits, ms", commits)
                .figure("run_over_bare_commits", "run p50 ÷ those", run / Math.max(1e-9, commits));
    }
}
