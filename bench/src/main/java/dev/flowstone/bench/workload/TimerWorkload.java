package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.ObserverPair;
import dev.flowstone.bench.load.OpenLoop;
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
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;

/**
 * Durable timers. First as many due each second as said, steadily; then very many due in the same second, while a
 * {@code sequence} goes on in front. Every run has one timer and is over when that has gone off.
 */
final class TimerWorkload implements Workload {
    private static final Duration DELAY = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** A delay is told in whole milliseconds, so that a timer may be due a moment before the second of the storm. */
    private static final Duration ROUNDING = Duration.ofMillis(100);

    private static final Duration BREATH = Duration.ofSeconds(3);

    @Override
    public String name() {
        return "timers";
    }

    /** What happened, before the journal is asked. */
    private record Seen(Window steady, Foreground.Seen storm, Instant due, Foreground foreground) {}

    @Override
    public Report run(Bench bench) throws Exception {
        NoOps handlers = new NoOps();
        try (Rig rig = Rig.on(bench.server())) {
            Clock clock = rig.ports().clock();
            Drifts drifts = new Drifts(clock);
            LoadMeter timers = new LoadMeter(drifts::wentOff);
            LoadMeter front = new LoadMeter();
            StartRequest delay = rig.publish(Definitions.delay());
            StartRequest sequence = rig.publish(Definitions.sequence());
            Seen seen;
            try (Engine engine = rig.start(handlers.registry(), new ObserverPair(timers, front))) {
                Window steady = steady(engine, timers, delay, clock, bench);
                Watch watch = new Watch(front, handlers::calls, "steps", clock, bench.progress());
                Foreground foreground = Foreground.measured(engine, front, watch, sequence, bench);
                seen = storm(engine, timers, delay, foreground, steady, clock, bench);
            }
            bench.tell("verifying every chain");
            return report(bench, rig, drifts, seen);
        }
    }

    private static StartRequest due(StartRequest delay, Duration in) {
        return Rig.with(
                delay,
                JsonObject.builder().put("delayMs", Math.max(1, in.toMillis())).build());
    }

    /** Timers are due as evenly as runs are started, a little later. */
    private static Window steady(Engine engine, LoadMeter timers, StartRequest delay, Clock clock, Bench bench)
            throws InterruptedException {
        StartRequest request = due(delay, DELAY);
        Watch watch = new Watch(timers, timers::over, "timers", clock, bench.progress());
        OpenLoop loop = new OpenLoop(
                new RunStarts(engine, timers, () -> request),
                bench.options().sizes().timersPerSecond());
        try {
            watch.hold(DELAY.plus(bench.options().trial()), "until timers are due");
            return watch.hold(bench.options().measure(), "timers that are due steadily");
        } finally {
            loop.end();
        }
    }

    private static Seen storm(
            Engine engine,
            LoadMeter timers,
            StartRequest delay,
            Foreground foreground,
            Window steady,
            Clock clock,
            Bench bench)
            throws Exception {
        int storm = bench.options().sizes().storm();
        Duration lead = Duration.ofMillis((long) (6_000.0 * storm / foreground.decisionsPerSecond()))
                .plus(BREATH.multipliedBy(2));
        Instant due = clock.now().plus(lead);
        long before = timers.over();
        Queue<Waiting.Started> started = Waiting.start(
                engine,
                storm,
                n -> due(delay, Duration.between(clock.now(), due)),
                run -> timers.began(run, System.nanoTime()),
                bench);
        Duration left = Duration.between(clock.now(), due);
        Duration alone = left.isNegative() ? Duration.ofMillis(1) : left;
        Foreground.Seen seen = foreground.meanwhile(
                alone, () -> {}, () -> timers.over() >= before + started.size(), LONGEST, "the storm of timers");
        return new Seen(steady, seen, due, foreground);
    }

    private Report report(Bench bench, Rig rig, Drifts drifts, Seen seen) throws Exception {
        Window during = seen.storm().during();
        Drifts.Found steady = drifts.dueBetween(
                rig.entries(), seen.steady().from(), seen.steady().to());
        Drifts.Found storm = drifts.dueBetween(rig.entries(), seen.due().minus(ROUNDING), Instant.MAX);
        StoredCount stored = StoredCount.of(rig.entries(), during.from(), during.to());
        var chains = rig.verify();
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(),
                stored,
                Math.max(1, during.reading().commits()),
                2);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("steady_per_s", "timers, steadily", seen.steady().perSecond(steady.timers()))
                .latency("steady_drift_ms", "their drift", steady.drift())
                .count("storm", "timers of the storm", storm.timers())
                .figure("storm_due_within_ms", "due within, ms", millis(storm.firstDue(), storm.lastDue()))
                .rate("storm_drain_per_s", "drained", storm.timers() / storm.seconds())
                .latency("storm_drift_ms", "their drift", storm.drift());
        seen.foreground().tell(report, seen.storm());
        return report.bare(stored, during, bare)
                .chains(chains)
                .curve("timers, steadily", "timers", seen.steady())
                .curve("foreground during the storm of timers", "steps", during)
                .build();
    }

    private static double millis(Instant from, Instant to) {
        return from.isAfter(to) ? 0 : Duration.between(from, to).toNanos() / 1e6;
    }
}
