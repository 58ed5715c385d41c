package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.bench.rig.WorkerProcess;
import dev.flowstone.engine.start.StartRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Runs of five no-op tasks, one after another, done by a worker in another process: it claims over HTTP on the loopback and
 * tells what came of each, by the worker library that users have. A task counts if its {@code TaskCompleted} event is stored.
 */
final class RemoteWorkload implements Workload {
    /** More than runs are in flight, so that it is never the worker's own bound that is measured. */
    private static final int PLACES = 8_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(Definitions.remote());
            Throughput load;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), meter);
                    WorkerProcess worker = WorkerProcess.start(
                            server.port(),
                            Math.max(PLACES, 2 * bench.options().inflight().orElse(0)))) {
                Watch watch = new Watch(
                        meter,
                        () -> meter.over() * Definitions.SEQUENCE_STEPS,
                        "tasks",
                        rig.ports().clock(),
                        bench.progress());
                bench.tell("waiting for the worker");
                awaitFirstRun(new RunStarts(server.engine(), meter, () -> request), worker);
                load = Throughput.measure(server.engine(), meter, watch, () -> request, options(bench.options()));
                worker.requireAlive();
            }
            bench.tell("verifying every chain");
            return report(bench, rig, load);
        }
    }

    /** Two processes share the cores with the database: fewer runs than a {@code sequence} has in flight keep them busy. */
    private static BenchOptions options(BenchOptions options) {
        return options.withTrials(
                options.trials().stream().map(runs -> Math.max(1, runs / 5)).toList());
    }

    /** A JVM takes its time to start, which is no task's. */
    private static void awaitFirstRun(RunStarts starts, WorkerProcess worker) throws IOException, InterruptedException {
        starts.one(System.nanoTime(), () -> {});
        boolean over = starts.meter().places().tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        worker.requireAlive();
        if (!over) {
            throw new IllegalStateException("the worker did nothing for " + PATIENCE.toSeconds() + " s");
        }
    }

    private Report report(Bench bench, Rig rig, Throughput load) throws Exception {
        Window window = load.window();
        StoredCount stored = StoredCount.of(rig.entries(), window.from(), window.to());
        Histogram tasks = TaskTimes.recordedBetween(rig.entries(), window.from(), window.to());
        var chains = rig.verify();
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(), stored, window.reading().commits(), Definitions.SEQUENCE_STEPS + 1);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("tasks_per_s", "tasks", window.perSecond(stored.steps()))
                .rate("runs_per_s", "runs", window.perSecond(stored.runs()))
                .figure("seconds", "seconds", window.seconds())
                .put("tasks", stored.steps());
        load.tell(report);
        return report.latency("task_ms", "task, until recorded", tasks)
                .latency(
                        "run_ms",
                        "run of " + Definitions.SEQUENCE_STEPS + " tasks",
                        window.reading().runs())
                .latency("decision_ms", "decision", window.reading().decisions())
                .bare(stored, window, bare)
                .none("runs_failed", "runs failed", window.reading().failed())
                .chains(chains)
                .curve("remote tasks", "tasks", window)
                .build();
    }
}
