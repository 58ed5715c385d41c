package dev.flowstone.server.metric;

import dev.flowstone.engine.trigger.Result.Outcome;

/** What came for triggers, by what became of it. Thread-safe. */
public final class TriggerMetrics {
    private final Counts deliveries = new Counts(
            "flowstone_trigger_deliveries_total",
            "Deliveries for triggers, those included of which nothing proves whose they are.",
            Outcome.values().length,
            "outcome");

    public TriggerMetrics() {
        for (Outcome outcome : Outcome.values()) {
            deliveries.show(outcome.toString());
        }
    }

    public void add(Outcome outcome) {
        deliveries.add(1, outcome.toString());
    }

    public void addTo(Meters meters) {
        meters.add(deliveries);
    }
}
