package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.ObserverPair;
import dev.flowstone.bench.load.OpenLoop;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.postgres.ServerCpu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tenant that offers little, alone and beside one that offers a hundred times as much, in turns: how much longer its runs take
 * then, at loads from small ones to one that takes about all that a machine of two cores has. Both have the same workflow, on the
 * same shards. Runs count from when they were to be started. It is unsound, if it was in earnest, if at the smallest load those of
 * 95 % take more than twice as long.
 */
final class TenantsWorkload implements Workload {
    private static final TenantId HOT = new TenantId("hot");

    /** Of the quiet tenant, a second. */
    private static final List<Double> QUIET = List.of(2.0, 5.0, 10.0, 20.0);

    private static final int TIMES = 100;
    private static final int TURNS = 4;
    private static final Duration SETTLE = Duration.ofMillis(500);

    @Override
    public String name() {
        return "tenants";
    }

    /** Who starts runs, and who sees them end. */
    private record Load(Watch watch, RunStarts quiet, RunStarts hot, Optional<ServerCpu> server) {
        /** What the processors of this machine have done for it so far: this process and the server, if it is here. */
        Optional<Duration> processors() {
            Duration own = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
            return server.map(all -> all.soFar().plus(own));
        }
    }

    @Override
    public Report run(Bench bench) throws Exception {
        List<Double> rates = bench.options().offered().isPresent()
                ? List.of(bench.options().offered().getAsDouble())
                : QUIET;
        LoadMeter quiet = new LoadMeter();
        LoadMeter hot = new LoadMeter();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest few = rig.publish(Definitions.sequence());
            StartRequest many = rig.publish(HOT, Definitions.sequence());
            List<TwoTenants> seen = new ArrayList<>();
            try (Engine engine = rig.start(new NoOps().registry(), new ObserverPair(quiet, hot))) {
                Load load = new Load(
                        new Watch(quiet, quiet::over, "runs", rig.ports().clock(), bench.progress()),
                        new RunStarts(engine, quiet, () -> few),
                        new RunStarts(engine, hot, () -> many),
                        ServerCpu.of(rig.config()));
                warmUp(bench, load, rates.getLast() * TIMES);
                for (double rate : rates) {
                    seen.add(seen(bench, load, rate));
                }
            }
            bench.tell("verifying every chain");
            return TwoTenants.report(name(), seen, bench.options().inEarnest(), rig.verify());
        }
    }

    private static void warmUp(Bench bench, Load load, double rate) throws InterruptedException {
        OpenLoop warming = new OpenLoop(load.hot(), rate);
        try {
            load.watch().hold(bench.options().warmUp(), "warming up");
        } finally {
            warming.end();
        }
    }

    private static TwoTenants seen(Bench bench, Load load, double rate) throws InterruptedException {
        OpenLoop quiet = new OpenLoop(load.quiet(), rate);
        try {
            return seen(bench, load, quiet, rate);
        } finally {
            quiet.end();
        }
    }

    private static TwoTenants seen(Bench bench, Load load, OpenLoop quiet, double rate) throws InterruptedException {
        List<Window> alone = new ArrayList<>();
        List<Window> beside = new ArrayList<>();
        List<Window> hot = new ArrayList<>();
        Optional<Duration> busy = load.server().map(_ -> Duration.ZERO);
        Duration each = bench.options().measure().dividedBy(TURNS);
        for (int turn = 0; turn < TURNS; turn++) {
            load.watch().hold(SETTLE, "settling");
            alone.add(load.watch().hold(each, "alone"));
            OpenLoop loop = new OpenLoop(load.hot(), rate * TIMES);
            try {
                load.watch().hold(SETTLE, "settling");
                LoadMeter meter = load.hot().meter();
                long before = meter.over();
                meter.read();
                Optional<Duration> processors = load.processors();
                Window window = load.watch().hold(each, "beside a hot tenant");
                busy = busy.map(sum -> sum.plus(load.processors().orElseThrow()).minus(processors.orElseThrow()));
                beside.add(window);
                hot.add(new Window(window.from(), window.to(), meter.over() - before, meter.read(), List.of()));
            } finally {
                loop.end();
            }
        }
        return new TwoTenants(
                rate, rate * TIMES, new Windows(alone), new Windows(beside), new Windows(hot), busy, quiet.refused());
    }
}
