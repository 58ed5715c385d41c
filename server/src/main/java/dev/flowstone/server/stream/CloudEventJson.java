package dev.flowstone.server.stream;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.http.Percent;
import dev.flowstone.triggers.event.EventRules;

/** The engine's events as CloudEvents 1.0: what subscribers get, and what event triggers see. */
public final class CloudEventJson {
    private CloudEventJson() {}

    /** What an event's type is there. */
    public static String type(Event event) {
        return EventRules.ENGINES + event.body().kind();
    }

    /** All of it; its id is RUN/SEQUENCE. */
    public static JsonObject of(Event event) {
        EventHeader header = event.header();
        JsonObject data = EventJson.of(event);
        JsonObject.Builder json = JsonObject.builder()
                .put("specversion", "1.0")
                .put("id", event.id())
                .put(
                        "source",
                        "/flowstone/" + Percent.segment(header.tenant().value()) + "/"
                                + Percent.segment(header.workflow().value()))
                .put("type", type(event))
                .put("subject", header.run().toString())
                .put("datacontenttype", "application/json")
                .put("sequence", padded(event.sequence()))
                .put("correlationid", header.correlation())
                .put("data", data);
        if (data.get("event_time") instanceof JsonString time) {
            json.put("time", time);
        }
        return json.build();
    }

    /** Texts that compare as the numbers do, as the extension for sequences asks for. */
    private static String padded(long sequence) {
        String digits = Long.toString(sequence);
        return "0".repeat(19 - digits.length()) + digits;
    }
}
