package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.ClosedLoop;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.DeadRows;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.HeldSnapshot;
import java.time.Duration;

/**
 * What a report costs that keeps a snapshot open: a {@code sequence} without it, three times as long with it, and without it
 * again. While it is held, no row goes that was alive when it was taken or has been changed since, so that every table which is
 * read in order of time has a longer and longer way through rows that are dead.
 */
final class SnapshotWorkload implements Workload {
    private static final int TIMES = 3;
    private static final Duration SETTLE = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "snapshot";
    }

    /** The three stretches, and what lay dead after the first and after the second. */
    private record Seen(Window before, Window during, Window after, DeadRows without, DeadRows with, int inflight) {}

    /** A stretch and what is stored of it. */
    private record Made(Window window, StoredCount stored) {
        static Made of(Rig rig, Window window) throws JournalException {
            return new Made(window, StoredCount.of(rig.entries(), window.from(), window.to()));
        }

        double stepsPerSecond() {
            return window.perSecond(stored.steps());
        }
    }

    @Override
    public Report run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        NoOps handlers = new NoOps();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(Definitions.sequence());
            Watch watch = new Watch(meter, handlers::calls, "steps", rig.ports().clock(), bench.progress());
            Seen seen;
            try (Engine engine = rig.start(handlers.registry(), meter)) {
                int inflight = bench.options().inflight().isPresent()
                        ? bench.options().inflight().getAsInt()
                        : best(engine, meter, watch, request, bench);
                seen = seen(rig, new RunStarts(engine, meter, () -> request), watch, inflight, bench);
            }
            bench.tell("verifying every chain");
            return report(bench, rig, seen);
        }
    }

    private static int best(Engine engine, LoadMeter meter, Watch watch, StartRequest request, Bench bench)
            throws InterruptedException {
        return Throughput.measure(
                        engine, meter, watch, () -> request, bench.options().closed(SETTLE))
                .inflight()
                .orElseThrow();
    }

    private static Seen seen(Rig rig, RunStarts starts, Watch watch, int inflight, Bench bench) throws Exception {
        Duration time = bench.options().measure();
        ClosedLoop loop = new ClosedLoop(starts);
        try {
            loop.resize(inflight);
            watch.hold(bench.options().trial().multipliedBy(2), "warming up");
            Window before = watch.hold(time, "without a snapshot");
            DeadRows without = rig.deadRows();
            Window during;
            DeadRows with;
            try (HeldSnapshot snapshot = rig.holdSnapshot()) {
                long runs = snapshot.runs();
                during = watch.hold(time.multipliedBy(TIMES), "with a snapshot held open");
                with = rig.deadRows();
                if (snapshot.runs() != runs) {
                    throw new IllegalStateException("the snapshot didn't stay what it was");
                }
            }
            Window after = watch.hold(time, "without it again");
            return new Seen(before, during, after, without, with, inflight);
        } finally {
            loop.end();
        }
    }

    private Report report(Bench bench, Rig rig, Seen seen) throws Exception {
        Made before = Made.of(rig, seen.before());
        Made during = Made.of(rig, seen.during());
        Made after = Made.of(rig, seen.after());
        var chains = rig.verify();
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(),
                during.stored(),
                during.window().reading().commits(),
                Definitions.SEQUENCE_STEPS + 1);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("steps_per_s", "steps, with it", during.stepsPerSecond())
                .rate("before_steps_per_s", "steps, without it", before.stepsPerSecond())
                .rate("after_steps_per_s", "steps, it being gone", after.stepsPerSecond())
                .share("kept", "kept", during.stepsPerSecond() / Math.max(1, before.stepsPerSecond()))
                .figure("seconds", "seconds with it", during.window().seconds())
                .count("inflight", "runs in flight", seen.inflight())
                .count("dead_rows_before", "dead rows before", sum(seen.without()))
                .count("dead_rows", "dead rows at its end", sum(seen.with()))
                .put("dead_rows_by_table", byTable(seen.with()));
        seen.with()
                .oldestSnapshot()
                .ifPresent(age -> report.figure("oldest_snapshot_s", "oldest snapshot, s", age.toMillis() / 1e3));
        return report.latency(
                        "before_run_ms",
                        "runs without it",
                        seen.before().reading().runs())
                .latency("run_ms", "runs with it", seen.during().reading().runs())
                .latency(
                        "after_run_ms",
                        "runs, it being gone",
                        seen.after().reading().runs())
                .none("runs_failed", "runs failed", failed(before) + failed(during) + failed(after))
                .bare(during.stored(), during.window(), bare)
                .chains(chains)
                .curve("sequence without a snapshot", "steps", seen.before())
                .curve("sequence with a snapshot held open", "steps", seen.during())
                .curve("sequence, the snapshot being gone", "steps", seen.after())
                .build();
    }

    private static long failed(Made made) {
        return made.window().reading().failed();
    }

    private static long sum(DeadRows rows) {
        return rows.tables().values().stream().mapToLong(Long::longValue).sum();
    }

    private static JsonObject byTable(DeadRows rows) {
        JsonObject.Builder all = JsonObject.builder();
        rows.tables().forEach((table, dead) -> {
            if (dead > 0) {
                all.put(table, dead);
            }
        });
        return all.build();
    }
}
