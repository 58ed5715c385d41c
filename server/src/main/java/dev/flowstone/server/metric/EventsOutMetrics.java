package dev.flowstone.server.metric;

import java.util.List;

/** Events that left, and those that were not taken, by the kind of place that they went to. Thread-safe. */
public final class EventsOutMetrics {
    private static final List<String> SINKS = List.of("webhook", "kafka");
    private static final String DELIVERED = "delivered";
    private static final String FAILED = "failed";

    private final Counts events = new Counts(
            "flowstone_events_out_total",
            "Attempts to send events to subscribers.",
            SINKS.size() * 2,
            "sink",
            "outcome");

    public EventsOutMetrics() {
        for (String sink : SINKS) {
            events.show(sink, DELIVERED);
            events.show(sink, FAILED);
        }
    }

    public void delivered(String sink, int count) {
        events.add(count, sink, DELIVERED);
    }

    public void failed(String sink, int count) {
        events.add(count, sink, FAILED);
    }

    public void addTo(Meters meters) {
        meters.add(events);
    }
}
