package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.InTurns;
import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.DeadRows;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.HeldSnapshot;
import java.time.Duration;

/**
 * What a report costs that keeps a snapshot open (cases.md 28): a {@code sequence} in a database in which one is held, in turns with
 * the same in another of the same server in which none is, so that whatever else the machine does disturbs both. Before that, and
 * after it, neither has one: what differs then is the machine. While it is held, no row goes that was alive when it was taken or has
 * been changed since, so that every table which is read in order of time has a longer and longer way through rows that are dead. It
 * is unsound, if it was in earnest, if less than three quarters of the rate are kept.
 */
final class SnapshotWorkload implements Workload {
    private static final int TIMES = 3;
    private static final Duration TURN = Duration.ofSeconds(5);
    private static final int TURNS_AT_LEAST = 3;
    private static final double LEAST_KEPT = 0.75;

    @Override
    public String name() {
        return "snapshot";
    }

    /** The two of one stretch, the database in which the snapshot is or will be or was, and the other. */
    private record Stretch(Windows held, Windows free) {
        static Stretch of(InTurns turns, InTurns.Side held, InTurns.Side free, Duration time)
                throws InterruptedException {
            Duration each = time.dividedBy(TURNS_AT_LEAST).compareTo(TURN) < 0 ? time.dividedBy(TURNS_AT_LEAST) : TURN;
            turns.measure((int) time.dividedBy(each), each);
            return new Stretch(held.seen(), free.seen());
        }

        long failed() {
            return held.reading().failed() + free.reading().failed();
        }
    }

    /** The three stretches, and what lay dead before the second and at its end. */
    private record Seen(Stretch before, Stretch during, Stretch after, DeadRows without, DeadRows with) {}

    @Override
    public Report run(Bench bench) throws Exception {
        try (Rig one = Rig.on(bench.server());
                Rig other = Rig.on(bench.server())) {
            Place held = Place.in(one);
            Place free = Place.in(other);
            Seen seen;
            try (Engine engine = held.start();
                    Engine beside = free.start()) {
                seen = seen(
                        one,
                        held.side("where a snapshot is held", engine, bench),
                        free.side("where none is held", beside, bench),
                        bench);
            }
            bench.tell("verifying every chain");
            return report(bench, one, other, seen);
        }
    }

    private static Seen seen(Rig rig, InTurns.Side held, InTurns.Side free, Bench bench) throws Exception {
        Duration time = bench.options().measure();
        InTurns turns = new InTurns(held, free, bench.options().givenOrMiddling());
        try {
            turns.warmUp(bench.options().warmUp());
            Stretch before = Stretch.of(turns, held, free, time);
            DeadRows without = rig.deadRows();
            Stretch during;
            DeadRows with;
            try (HeldSnapshot snapshot = rig.holdSnapshot()) {
                long runs = snapshot.runs();
                during = Stretch.of(turns, held, free, time.multipliedBy(TIMES));
                with = rig.deadRows();
                if (snapshot.runs() != runs) {
                    throw new IllegalStateException("the snapshot didn't stay what it was");
                }
            }
            return new Seen(before, during, Stretch.of(turns, held, free, time), without, with);
        } finally {
            turns.end();
        }
    }

    /** Steps a second that are stored. */
    private static double steps(Rig rig, Windows windows) throws JournalException {
        return StoredCount.of(rig.entries(), windows::holds).steps() / windows.seconds();
    }

    /** By the rates in the middle of all turns, so that one bad moment counts for little. */
    private static double kept(Stretch stretch) {
        return stretch.held().donePerSecond() / Math.max(1e-9, stretch.free().donePerSecond());
    }

    private Report report(Bench bench, Rig rig, Rig free, Seen seen) throws Exception {
        Windows held = seen.during().held();
        StoredCount stored = StoredCount.of(rig.entries(), held::holds);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("steps_per_s", "steps, with it", stored.steps() / held.seconds())
                .rate(
                        "beside_steps_per_s",
                        "in turns, without it",
                        steps(free, seen.during().free()))
                .share("kept", "kept", kept(seen.during()))
                .share("before_kept", "before, no difference", kept(seen.before()))
                .share("after_kept", "after, no difference", kept(seen.after()))
                .rate(
                        "before_steps_per_s",
                        "steps before",
                        steps(rig, seen.before().held()))
                .rate(
                        "after_steps_per_s",
                        "steps, it being gone",
                        steps(rig, seen.after().held()))
                .figure("seconds", "seconds with it", held.seconds())
                .count("inflight", "runs in flight", bench.options().givenOrMiddling())
                .count("dead_rows_before", "dead rows before", sum(seen.without()))
                .count("dead_rows", "dead rows at its end", sum(seen.with()))
                .put("dead_rows_by_table", byTable(seen.with()));
        seen.with()
                .oldestSnapshot()
                .ifPresent(age -> report.figure("oldest_snapshot_s", "oldest snapshot, s", age.toMillis() / 1e3));
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(), stored, held.reading().commits(), Definitions.SEQUENCE_STEPS + 1);
        if (bench.options().inEarnest()) {
            report.must(
                    "kept_enough", kept(seen.during()) >= LEAST_KEPT, "less than three quarters of the rate are kept");
        }
        return report.latency("run_ms", "runs with it", held.reading().runs())
                .latency(
                        "beside_run_ms",
                        "runs without it",
                        seen.during().free().reading().runs())
                .latency(
                        "after_run_ms",
                        "runs, it being gone",
                        seen.after().held().reading().runs())
                .none(
                        "runs_failed",
                        "runs failed",
                        seen.before().failed()
                                + seen.during().failed()
                                + seen.after().failed())
                .bare(stored, held.seconds(), held.reading().commits(), bare)
                .chains(rig.verify(), free.verify())
                .curve("sequence with a snapshot held open", "steps", held.joined())
                .curve(
                        "in turns with it, without a snapshot",
                        "steps",
                        seen.during().free().joined())
                .build();
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
