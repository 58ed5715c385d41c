package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.ObserverPair;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs of one shard are suspended with their workflow, are sent input that waits, and are let go, while a {@code sequence}
 * goes on in front in every shard. An input counts if its {@code BufferedInputTaken} event is stored. The last input of each
 * run ends it, so that it is known when all of them are decided.
 */
final class ResumeWorkload implements Workload {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Actor OPERATOR = new Actor("user", "operator");
    private static final String REASON = "measured";

    @Override
    public String name() {
        return "resume";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        NoOps handlers = new NoOps();
        LoadMeter front = new LoadMeter();
        LoadMeter resumed = new LoadMeter();
        BenchSizes sizes = bench.options().sizes();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest approval = rig.publish(Definitions.approval());
            StartRequest sequence = rig.publish(Definitions.sequence());
            Foreground foreground;
            Foreground.Seen seen;
            int runs;
            Instant held;
            try (Engine engine = rig.start(handlers.registry(), new ObserverPair(front, resumed))) {
                Watch watch =
                        new Watch(front, handlers::calls, "steps", rig.ports().clock(), bench.progress());
                foreground = Foreground.measured(engine, front, watch, sequence, bench);
                List<RunKey> waiting = inOneShard(engine, rig, approval, sizes.resumed(), bench);
                SettingScope scope = new SettingScope.Workflow(Rig.TENANT, approval.workflow());
                hold(engine, scope);
                new BufferedInput(engine, rig.ports().humanTasks(), bench).send(waiting, sizes.inputs());
                waiting.forEach(run -> resumed.began(run, System.nanoTime()));
                runs = waiting.size();
                held = rig.ports().clock().now();
                seen = foreground.meanwhile(
                        bench.options().measure().dividedBy(2),
                        () -> engine.control().change(SettingRequest.resume(scope, REASON, OPERATOR)),
                        () -> resumed.over() >= waiting.size(),
                        LONGEST,
                        "deciding what was buffered");
            }
            bench.tell("verifying every chain");
            return report(bench, rig, foreground, seen, runs, held);
        }
    }

    private static List<RunKey> inOneShard(Engine engine, Rig rig, StartRequest request, int wanted, Bench bench)
            throws InterruptedException {
        List<Shard> shards = rig.ports().leases().shards();
        Shard shard = shards.getFirst();
        List<RunKey> found = new ArrayList<>();
        while (found.size() < wanted) {
            int more = (wanted - found.size()) * shards.size();
            Waiting.start(engine, more, n -> request, bench).stream()
                    .map(Waiting.Started::run)
                    .filter(run -> shard.holds(run.run().slot()))
                    .limit(wanted - found.size())
                    .forEach(found::add);
        }
        return found;
    }

    private static void hold(Engine engine, SettingScope scope) throws JournalException {
        long number = engine.control().change(SettingRequest.suspend(scope, HoldPolicy.DEFAULT, REASON, OPERATOR));
        if (!engine.control().await(number, Duration.ofSeconds(30)).byAll()) {
            throw new IllegalStateException("a shard didn't heed the suspension");
        }
    }

    private Report report(Bench bench, Rig rig, Foreground foreground, Foreground.Seen seen, int runs, Instant held)
            throws Exception {
        Window during = seen.during();
        StoredCount stored = StoredCount.of(rig.entries(), during.from(), during.to());
        // The first are decided before the window opens, which it does after they were let go.
        long inputs = StoredCount.of(rig.entries(), held, during.to()).inputs();
        var chains = rig.verify();
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(),
                stored,
                Math.max(1, during.reading().commits()),
                6);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("inputs_per_s", "buffered inputs", during.perSecond(inputs))
                .figure("seconds", "seconds", during.seconds())
                .count("inputs", "inputs", inputs)
                .count("resumed_runs", "runs let go", runs);
        foreground.tell(report, seen);
        return report.bare(stored, during, bare)
                .chains(chains)
                .curve("foreground while buffered input is decided", "steps", during)
                .build();
    }
}
