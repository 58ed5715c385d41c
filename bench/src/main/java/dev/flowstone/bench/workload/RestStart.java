package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.Callers.Outcome;
import dev.flowstone.bench.load.Callers.WarmUp;
import dev.flowstone.bench.load.HttpCaller;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.start.StartRequest;

/**
 * Durable start calls over REST: many callers, then a single one. A started run waits on a timer for a day, so that nothing
 * else is done. A start counts if its {@code RunStarted} event is stored.
 */
final class RestStart implements Workload {
    private static final String BODY = "{\"trigger\": {\"delayMs\": 86400000}}";
    private static final long MANY = 1_000_000_000;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        BenchOptions options = bench.options();
        int callers = options.inflight().orElse(options.sizes().callers());
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(Definitions.delay());
            String path = "/api/v1/workflows/" + request.workflow() + "/execute";
            Callers.Seen many;
            Callers.Seen single;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), meter)) {
                Callers load = new Callers(server.port());
                Watch watch =
                        new Watch(meter, load::answered, "starts", rig.ports().clock(), bench.progress());
                WarmUp warmUp = new WarmUp(options.trial().multipliedBy(2), MANY);
                many = load.hold(callers, warmUp, options.measure(), callers + " callers", watch, c -> start(c, path));
                single = load.hold(1, warmUp, options.measure().dividedBy(2), "one caller", watch, c -> start(c, path));
            }
            bench.tell("verifying every chain");
            return report(bench, rig, callers, many, single);
        }
    }

    private Report report(Bench bench, Rig rig, int callers, Callers.Seen many, Callers.Seen single) throws Exception {
        Window window = many.window();
        StoredCount stored = StoredCount.of(rig.entries(), window.from(), window.to());
        var chains = rig.verify();
        var shards = rig.ports().leases().shards();
        BareComparison bare = bench.bare(shards, stored, window.reading().commits(), 1);
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("starts_per_s", "starts over REST", window.perSecond(stored.starts()))
                .figure("seconds", "seconds", window.seconds())
                .count("callers", "callers", callers)
                .count("busy", "told to come again", many.busy())
                .put("starts", stored.starts())
                .latency("call_ms", "call", many.latency())
                .latency("single_call_ms", "call of a single one", single.latency())
                .latency("decision_ms", "decision", window.reading().decisions())
                .bare(stored, window, bare);
        return report.chains(chains).curve("start over REST", "starts", window).build();
    }

    private static Outcome start(HttpCaller caller, String path) throws Exception {
        return RestOutside.outcome(caller.post(path, Rig.TENANT.value(), "bench", BODY), 202);
    }
}
