package dev.flowstone.server.metric;

import dev.flowstone.engine.trigger.Result.Outcome;
import java.time.Duration;

/** What came for triggers, by what became of it. Thread-safe. */
public final class TriggerMetrics {
    private final Counts deliveries = new Counts(
            "flowstone_trigger_deliveries_total",
            "Deliveries for triggers, those included of which nothing proves whose they are.",
            Outcome.values().length,
            "outcome");

    private final Counts ticks = new Counts(
            "flowstone_trigger_ticks_total", "Ticks of schedules that this node has claimed, to be fired.", 1);

    private final Counts skips = new Counts(
            "flowstone_trigger_skips_total",
            "How often a schedule of this node has left out ticks that were missed.",
            1);

    private final Spread lateness = new Spread(
            "flowstone_trigger_lateness_seconds",
            "How long after its tick a schedule's execution was started.",
            Scale.LONG,
            1);

    public TriggerMetrics() {
        for (Outcome outcome : Outcome.values()) {
            deliveries.show(outcome.toString());
        }
    }

    public void add(Outcome outcome) {
        deliveries.add(1, outcome.toString());
    }

    public void claimed(int count) {
        ticks.add(count);
    }

    /** So many schedules have left out ticks that were missed. */
    public void skipped(int count) {
        skips.add(count);
    }

    /** A tick has started its execution. */
    public void fired(Duration late) {
        lateness.add(late);
    }

    public void addTo(Meters meters) {
        meters.add(deliveries);
        meters.add(ticks);
        meters.add(skips);
        meters.add(lateness);
    }
}
