package dev.flowstone.kernel.event;

import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The full view of one event: the envelope of enterprise.md §3 under the names that stand there, its {@code kind} and
 * {@code kind_version}, and its {@code body} as stored. Members of the envelope are always there; {@code effective_time}
 * repeats {@code event_time} where no other was given; {@code integrity_signature} is absent until events are signed.
 */
public final class EventJson {
    private EventJson() {}

    public static JsonObject of(Event event) {
        EventHeader header = event.header();
        Map<String, JsonValue> body = new LinkedHashMap<>(body(event.body()).members());
        JsonValue version = body.remove("v");
        body.remove("type");
        return JsonObject.builder()
                .put("tenant_id", header.tenant().value())
                .put("workflow_type", header.workflow().value())
                .put("type_version", header.typeVersion())
                .put("workflow_id", header.workflow().value())
                .put("run_id", header.run().toString())
                .put("event_id", event.id())
                .put("sequence_number", event.sequence())
                .put("prev_hash", event.previousHash().toString())
                .put("hash", event.hash().toString())
                .put("event_time", Times.write(header.eventTime()))
                .put("effective_time", Times.write(header.effectiveTime().orElse(header.eventTime())))
                .put("actor", header.actor().toString())
                .put("auth_context_ref", orNull(header.authorization()))
                .put("idempotency_key", orNull(header.idempotencyKey()))
                .put("causation_id", orNull(header.causation()))
                .put("correlation_id", header.correlation())
                .put("schema_version", header.schemaVersion())
                .put("kind", event.body().kind())
                .put("kind_version", version == null ? JsonNull.NULL : version)
                .put("body", JsonObject.of(body))
                .build();
    }

    private static JsonValue orNull(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static JsonObject body(EventBody body) {
        FrameOutput out = new FrameOutput();
        BodyCodec.write(out, body);
        try {
            return (JsonObject) JsonParser.parse(Arrays.copyOf(out.array(), out.size()), JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("what the codec wrote is JSON", e);
        }
    }
}
