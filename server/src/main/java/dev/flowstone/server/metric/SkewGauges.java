package dev.flowstone.server.metric;

import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.node.Skew;
import dev.flowstone.engine.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;

/** What of this node is out of step: load that isn't spread, what has waited for long, and the clock. */
public final class SkewGauges {
    private static final Duration FRESH = Duration.ofMillis(200);

    private SkewGauges() {}

    public static void addTo(Meters meters, Supplier<NodeLoad> source, Clock clock) {
        Supplier<NodeLoad> load = new Recent<>(source, FRESH);
        skew(meters, load, clock, "flowstone_skew", "Of the busiest over the mean; 1 if all are alike.", Skew::share);
        skew(
                meters,
                load,
                clock,
                "flowstone_skew_oldest_seconds",
                "How long the one has waited that has waited longest.",
                skew -> seconds(skew.oldest()));
        meters.add(new Gauges(
                "flowstone_shard_oldest_seconds",
                "How long the one has waited to be decided that has waited longest.",
                sink -> load.get()
                        .shards()
                        .forEach(shard -> sink.is(
                                waited(shard.since(), clock), shard.shard().toString())),
                "shard"));
        meters.add(new Gauges(
                "flowstone_shard_timers_late_seconds",
                "How late the first timer is that has not been taken.",
                sink -> load.get()
                        .shards()
                        .forEach(shard ->
                                sink.is(seconds(shard.late()), shard.shard().toString())),
                "shard"));
        meters.add(new Gauges(
                "flowstone_queue_oldest_seconds",
                "How long the attempt has waited that has waited longest.",
                sink -> load.get()
                        .tasks()
                        .queues()
                        .forEach((action, queue) -> sink.is(waited(queue.since(), clock), action.value())),
                "actionType"));
        meters.add(new Gauges(
                "flowstone_clock_offset_seconds",
                "By how much this node's clock is ahead of the database's; negative if behind.",
                sink -> sink.is(seconds(Skew.clock(load.get())))));
    }

    private static void skew(
            Meters meters,
            Supplier<NodeLoad> load,
            Clock clock,
            String name,
            String help,
            Function<Skew, Double> value) {
        meters.add(new Gauges(
                name,
                help,
                sink -> Skew.of(load.get(), clock.now())
                        .forEach(skew -> sink.is(value.apply(skew), skew.of().toString())),
                "of"));
    }

    private static double waited(Instant since, Clock clock) {
        return since.equals(Instant.MAX) ? 0 : Math.max(0, seconds(Duration.between(since, clock.now())));
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1_000.0;
    }
}
