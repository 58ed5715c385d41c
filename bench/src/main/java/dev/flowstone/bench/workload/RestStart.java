package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.start.StartRequest;
import java.util.List;

/**
 * Durable start calls over REST: many callers, then a single one. A started run waits on a timer for a day, so that nothing
 * else is done. A start counts if its {@code RunStarted} event is stored.
 */
final class RestStart implements Workload {
    private static final String BODY = "{\"trigger\": {\"delayMs\": 86400000}}";

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
            CallLoad load =
                    new CallLoad(meter, rig.ports().clock(), bench, List.of(CallLoad.start(request, BODY)), 202);
            CallLoad.Seen many;
            CallLoad.Seen single;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), meter)) {
                many = load.hold(server.port(), callers, options.measure());
                single = load.hold(server.port(), 1, options.measure().dividedBy(2));
            }
            bench.tell("verifying every chain");
            return report(bench, rig, callers, many, single);
        }
    }

    private Report report(Bench bench, Rig rig, int callers, CallLoad.Seen many, CallLoad.Seen single)
            throws Exception {
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
                .figure("server_us", "server, µs a call", many.serverMicros())
                .figure("callers_us", "callers, µs a call", many.callerMicros())
                .latency("call_ms", "call", many.latency())
                .latency("single_call_ms", "call of a single one", single.latency())
                .latency("decision_ms", "decision", window.reading().decisions())
                .bare(stored, window, bare);
        return report.chains(chains).curve("start over REST", "starts", window).build();
    }
}
