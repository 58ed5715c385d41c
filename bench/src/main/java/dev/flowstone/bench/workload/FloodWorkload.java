package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.Callers.Shape;
import dev.flowstone.bench.load.HeapWatch;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Sample;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Far more starts than can be made: one tenant offers them over REST from another process, on many connections and without waiting
 * for answers, while another tenant calls as before. What is accepted must be stored, what is shed must not, and when it is over
 * the other one has its rate again at once. Then the same at the engine's own door, without HTTP.
 */
final class FloodWorkload implements Workload {
    private static final double OFFERED = 50_000;
    private static final int UNANSWERED = 32;
    private static final TenantId NEIGHBOUR = new TenantId("neighbour");
    private static final String BODY = "{\"trigger\": {\"delayMs\": 86400000}}";
    private static final double BACK = 0.9;
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final Duration LAST = Duration.ofDays(100_000);

    @Override
    public String name() {
        return "flood";
    }

    /** The neighbour's calls of a stretch of time. */
    private record Stretch(Window window, Histogram latency) {
        double perSecond() {
            return window.perSecond(window.done());
        }
    }

    /** What the flood came to, over REST. */
    private record Flooded(Callers.Sent sent, long accepted, Map<String, Long> refused) {}

    /** What the neighbour saw, and when it had its rate again: seconds after the flood's last answer; -1 for never. */
    private record Seen(
            Stretch before, Stretch during, Stretch after, double recovered, Flooded flooded, long ownAccepted) {}

    @Override
    public Report run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        try (Rig rig = Rig.on(bench.server());
                HeapWatch heap = new HeapWatch()) {
            StartRequest request = rig.publish(Definitions.delay());
            StartRequest own = rig.publish(NEIGHBOUR, Definitions.delay());
            Seen seen;
            DoorFlood door;
            long heapOverRest;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), meter)) {
                seen = overRest(bench, rig, meter, server.port(), request, own);
                heapOverRest = heap.most();
                bench.tell("the engine's own door");
                JsonObject trigger =
                        JsonObject.builder().put("delayMs", 86_400_000L).build();
                door = DoorFlood.run(
                        server.engine(),
                        Rig.with(request, trigger),
                        OFFERED,
                        bench.options().measure().dividedBy(4));
            }
            bench.tell("verifying every chain");
            Instant begin = Instant.EPOCH;
            StoredCount stored = StoredCount.of(rig.entries(), begin, begin.plus(LAST));
            return report(rig, seen, door, stored, heapOverRest, heap.most());
        }
    }

    private static Seen overRest(
            Bench bench, Rig rig, LoadMeter meter, int port, StartRequest request, StartRequest own) throws Exception {
        BenchOptions options = bench.options();
        Shape few = Shape.closed(options.sizes().neighbours());
        try (Callers neighbour = Callers.start(port, few, List.of(CallLoad.start(own, BODY)), 202, (_, _) -> {})) {
            Watch watch =
                    new Watch(meter, neighbour::accepted, "calls", rig.ports().clock(), bench.progress());
            watch.hold(Duration.ofSeconds(30), "waiting for the neighbour", () -> neighbour.accepted() > 0);
            watch.hold(options.warmUp(), "warming up");
            Stretch before = stretch(watch, neighbour, options.measure().dividedBy(4), "before the flood");
            Stretch during;
            Flooded flooded;
            Shape many = new Shape(options.sizes().floodConnections(), OFFERED, UNANSWERED);
            try (Callers flood = Callers.start(port, many, List.of(CallLoad.start(request, BODY)), 202, (_, _) -> {})) {
                watch.hold(Duration.ofSeconds(30), "waiting for the flood", () -> flood.accepted() > 0);
                during = stretch(watch, neighbour, options.measure(), "in the flood");
                flooded = new Flooded(flood.end(), flood.accepted(), flood.refused());
            }
            neighbour.read();
            Window after =
                    watch.hold(RECOVERY.compareTo(options.measure()) < 0 ? RECOVERY : options.measure(), "after");
            Stretch last = new Stretch(after, neighbour.read());
            neighbour.end();
            double recovered = after.samples().stream()
                    .filter(sample -> sample.perSecond() >= BACK * before.perSecond())
                    .mapToDouble(Sample::second)
                    .findFirst()
                    .orElse(-1);
            return new Seen(before, during, last, recovered, flooded, neighbour.accepted());
        }
    }

    private static Stretch stretch(Watch watch, Callers neighbour, Duration time, String what)
            throws InterruptedException {
        neighbour.read();
        Window window = watch.hold(time, what);
        return new Stretch(window, neighbour.read());
    }

    private Report report(Rig rig, Seen seen, DoorFlood door, StoredCount stored, long heapRest, long heapAll)
            throws Exception {
        Flooded flooded = seen.flooded();
        long told = flooded.accepted() + seen.ownAccepted() + door.accepted();
        long unknown = flooded.refused().entrySet().stream()
                .filter(it -> it.getKey().startsWith("0 "))
                .mapToLong(Map.Entry::getValue)
                .sum();
        JsonObject.Builder refused = JsonObject.builder();
        flooded.refused().forEach((why, count) -> refused.put(why, JsonNumber.of((long) count)));
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .count("offered", "offered over REST", flooded.sent().offered())
                .count("sent", "that a connection took", flooded.sent().sent())
                .count("accepted", "accepted", flooded.accepted());
        flooded.refused().forEach((why, count) -> report.line(String.format("%-22s%,10d", why, count)));
        return report.put("refused", refused.build())
                .rate(
                        "neighbour_before_per_s",
                        "neighbour before",
                        seen.before().perSecond())
                .rate(
                        "neighbour_during_per_s",
                        "neighbour in the flood",
                        seen.during().perSecond())
                .rate("neighbour_after_per_s", "neighbour after", seen.after().perSecond())
                .figure("recovered_s", "s until 90 % again", seen.recovered())
                .latency(
                        "neighbour_before_ms", "its calls before", seen.before().latency())
                .latency(
                        "neighbour_during_ms",
                        "its calls in the flood",
                        seen.during().latency())
                .latency("neighbour_after_ms", "its calls after", seen.after().latency())
                .figure("heap_rest_mb", "heap after collections, at most, MB", heapRest / 1e6)
                .count("door_offered", "offered at the door", door.offered())
                .count("door_accepted", "accepted", door.accepted())
                .count("door_shed", "shed", door.shed())
                .count("door_waiting", "most that waited", door.mostWaiting())
                .figure("door_seconds", "seconds", door.seconds())
                .figure("heap_mb", "heap after collections, at most, MB", heapAll / 1e6)
                .count("stored", "stored", stored.starts())
                .none("lost", "accepted and not stored", Math.max(0, told - stored.starts()))
                .none("unasked", "stored and not accepted", Math.max(0, stored.starts() - told - unknown))
                .none("unanswered", "never answered", door.unanswered() + door.other())
                .none("no_retry_after", "shed without Retry-After", withoutRetryAfter(flooded))
                .chains(rig.verify())
                .curve("neighbour in the flood", "calls", seen.during().window())
                .build();
    }

    private static long withoutRetryAfter(Flooded flooded) {
        return flooded.refused().entrySet().stream()
                .filter(it -> it.getKey().endsWith("NO_RETRY_AFTER"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
