package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonCursor;
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

    /**
     * Reads what {@link #of} told, in this release or an earlier one; empty if a later one told it in a form of its own. The
     * number of its decision's first event isn't told; its own stands in for that.
     *
     * @throws dev.flowstone.kernel.json.JsonShapeException if it is something else
     */
    public static Optional<Event> read(JsonObject told) {
        JsonCursor at = JsonCursor.of(told);
        try {
            EventHeader header = header(at);
            Map<String, JsonValue> body =
                    new LinkedHashMap<>(at.member("body").object().members());
            body.put("type", new JsonString(at.string("kind")));
            body.put("v", at.member("kind_version").value());
            return Optional.of(new Event(
                    header,
                    header.firstSequence(),
                    at.as("prev_hash", Sha256::parse),
                    at.as("hash", Sha256::parse),
                    BodyCodec.read(JsonCursor.of(JsonObject.of(body)))));
        } catch (UnknownFormException e) {
            return Optional.empty();
        }
    }

    private static EventHeader header(JsonCursor at) {
        int schema = at.intValue("schema_version");
        if (schema != EventHeader.SCHEMA) {
            throw UnknownFormException.at(at, "header", schema);
        }
        return new EventHeader(
                schema,
                at.as("tenant_id", TenantId::new),
                at.as("workflow_id", WorkflowId::new),
                at.intValue("type_version"),
                at.as("run_id", RunId::parse),
                at.longValue("sequence_number"),
                at.as("event_time", Times::read),
                Optional.of(at.as("effective_time", Times::read)),
                at.as("actor", Actor::parse),
                text(at, "auth_context_ref"),
                text(at, "idempotency_key"),
                text(at, "causation_id"),
                at.string("correlation_id"));
    }

    private static Optional<String> text(JsonCursor at, String member) {
        return at.find(member).filter(it -> it.value() != JsonNull.NULL).map(JsonCursor::string);
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
