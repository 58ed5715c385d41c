package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * An event on its way out: a CloudEvent 1.0 in structured mode.
 *
 * @param id RUN/SEQUENCE, the same however often it is sent
 * @param body the CloudEvent as JSON
 * @param behind the place behind it in its stream
 */
@SuppressWarnings("ArrayRecordComponent")
record OutEvent(RunId run, String id, byte[] body, FeedPlace behind) {
    static final String MEDIA_TYPE = "application/cloudevents+json";

    private static final String TYPES = "dev.flowstone.";

    /** Of memory, beside the body. */
    private static final int OVERHEAD = 256;

    OutEvent {
        requireNonNull(run);
        requireNonNull(id);
        requireNonNull(body);
        requireNonNull(behind);
    }

    static OutEvent of(Event event, FeedPlace behind) {
        return new OutEvent(event.header().run(), event.id(), CanonicalJson.exact(cloudEvent(event)), behind);
    }

    /** What it takes of memory, about. */
    long bytes() {
        return (long) body.length + OVERHEAD;
    }

    private static JsonObject cloudEvent(Event event) {
        EventHeader header = event.header();
        JsonObject data = EventJson.of(event);
        JsonObject.Builder json = JsonObject.builder()
                .put("specversion", "1.0")
                .put("id", event.id())
                .put(
                        "source",
                        "/flowstone/" + segment(header.tenant().value()) + "/"
                                + segment(header.workflow().value()))
                .put("type", TYPES + event.body().kind())
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

    private static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
