package dev.flowstone.server.metric;

import dev.flowstone.engine.stuck.StuckKind;
import java.util.Map;
import java.util.function.Supplier;

/** Runs of this node that stand still, as they were last counted; a scrape counts nothing. */
public final class StuckGauges {
    private StuckGauges() {}

    public static void addTo(Meters meters, Supplier<Map<StuckKind, Long>> counts) {
        meters.add(new Gauges(
                "flowstone_stuck_runs",
                "Runs of this node's shards that stand still, by kind, as of the last round.",
                sink -> counts.get().forEach((kind, runs) -> sink.is(runs.doubleValue(), kind.toString())),
                "kind"));
    }
}
