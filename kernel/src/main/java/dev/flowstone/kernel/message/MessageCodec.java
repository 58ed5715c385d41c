package dev.flowstone.kernel.message;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message.Acquire;
import dev.flowstone.kernel.message.Message.ChildSettled;
import dev.flowstone.kernel.message.Message.Control;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.kernel.message.Message.Granted;
import dev.flowstone.kernel.message.Message.Link;
import dev.flowstone.kernel.message.Message.Linked;
import dev.flowstone.kernel.message.Message.Operation;
import dev.flowstone.kernel.message.Message.PermitExpired;
import dev.flowstone.kernel.message.Message.Reason;
import dev.flowstone.kernel.message.Message.Release;
import dev.flowstone.kernel.message.Message.Signal;
import dev.flowstone.kernel.message.Message.SignalDelivered;
import dev.flowstone.kernel.message.Message.SignalReturned;
import dev.flowstone.kernel.message.Message.StartChild;
import dev.flowstone.kernel.message.Message.Subscribe;
import dev.flowstone.kernel.message.Message.Unsubscribe;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stored forms of messages: an object with the record's name as {@code message}, the form's version as {@code v}, and the
 * record's members. A released form keeps its meaning for ever; a new need is a new version.
 */
public final class MessageCodec {
    private MessageCodec() {}

    public static JsonObject write(Message message) {
        JsonObject.Builder out = JsonObject.builder()
                .put("message", message.getClass().getSimpleName())
                .put("v", 1);
        switch (message) {
            case Subscribe m ->
                activation(out, m.activation()).put("type", m.type()).put("key", m.key());
            case Unsubscribe m -> activation(out, m.activation());
            case Signal m ->
                out.put("type", m.type())
                        .put("key", m.key())
                        .put("payload", PayloadCodec.write(m.payload()))
                        .putIfPresent("dedupe", m.dedupe())
                        .put("broadcast", m.broadcast())
                        .put("expiresAt", m.expiresAt().toString());
            case SignalDelivered m ->
                activation(out, m.activation())
                        .put("signal", m.signal())
                        .put("payload", PayloadCodec.write(m.payload()))
                        .put("broadcast", m.broadcast())
                        .put("expiresAt", m.expiresAt().toString());
            case SignalReturned m ->
                activation(out, m.activation())
                        .put("signal", m.signal())
                        .put("payload", PayloadCodec.write(m.payload()))
                        .put("expiresAt", m.expiresAt().toString());
            case Acquire m ->
                activation(out, m.activation())
                        .put("semaphore", m.semaphore())
                        .put("limit", m.limit())
                        .put("permits", m.permits())
                        .put("lease", m.lease().toString());
            case Release m -> activation(out, m.activation());
            case Granted m ->
                activation(out, m.activation())
                        .put("permits", m.permits())
                        .put("fence", m.fence())
                        .put("expiresAt", m.expiresAt().toString());
            case PermitExpired m -> activation(out, m.activation()).put("fence", m.fence());
            case Link m ->
                activation(out, m.activation())
                        .put("type", m.type())
                        .put("key", m.key())
                        .put("value", PayloadCodec.write(m.value()));
            case Linked m ->
                activation(out, m.activation())
                        .put("created", m.created())
                        .put("owner", m.owner().toString())
                        .put("value", PayloadCodec.write(m.value()));
            case StartChild m -> start(out, m);
            case Control m -> out.put("operation", m.operation().name()).put("reason", m.reason());
            case ChildSettled m -> settled(out, m);
        }
        return out.build();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is no message
     */
    public static Message read(JsonObject content) {
        JsonCursor at = JsonCursor.of(content);
        String kind = at.string("message");
        int version = at.intValue("v");
        return switch (kind + "/" + version) {
            case "Subscribe/1" -> new Subscribe(activation(at), at.string("type"), at.string("key"));
            case "Unsubscribe/1" -> new Unsubscribe(activation(at));
            case "Signal/1" ->
                new Signal(
                        at.string("type"),
                        at.string("key"),
                        payload(at, "payload"),
                        at.find("dedupe").map(JsonCursor::string),
                        at.bool("broadcast"),
                        at.as("expiresAt", MessageCodec::instant));
            case "SignalDelivered/1" ->
                new SignalDelivered(
                        activation(at),
                        at.longValue("signal"),
                        payload(at, "payload"),
                        at.bool("broadcast"),
                        at.as("expiresAt", MessageCodec::instant));
            case "SignalReturned/1" ->
                new SignalReturned(
                        activation(at),
                        at.longValue("signal"),
                        payload(at, "payload"),
                        at.as("expiresAt", MessageCodec::instant));
            case "Acquire/1" ->
                new Acquire(
                        activation(at),
                        at.string("semaphore"),
                        at.intValue("limit"),
                        at.intValue("permits"),
                        at.as("lease", MessageCodec::duration));
            case "Release/1" -> new Release(activation(at));
            case "Granted/1" ->
                new Granted(
                        activation(at),
                        at.intValue("permits"),
                        at.longValue("fence"),
                        at.as("expiresAt", MessageCodec::instant));
            case "PermitExpired/1" -> new PermitExpired(activation(at), at.longValue("fence"));
            case "Link/1" -> new Link(activation(at), at.string("type"), at.string("key"), payload(at, "value"));
            case "Linked/1" ->
                new Linked(activation(at), at.bool("created"), at.as("owner", RunId::parse), payload(at, "value"));
            case "StartChild/1" -> start(at);
            case "Control/1" -> new Control(at.as("operation", Operation::valueOf), at.string("reason"));
            case "ChildSettled/1" ->
                new ChildSettled(
                        activation(at),
                        at.as("ended", Ended::valueOf),
                        payload(at, "output"),
                        at.find("error")
                                .map(error -> new Reason(
                                        error.string("code"),
                                        error.string("message"),
                                        error.member("details").object())));
            default -> throw at.fault("no message " + kind + " of version " + version + " is known to this release");
        };
    }

    private static void start(JsonObject.Builder out, StartChild m) {
        JsonObject.Builder input = JsonObject.builder();
        for (Map.Entry<String, Payload> root : new TreeMap<>(m.input()).entrySet()) {
            input.put(root.getKey(), PayloadCodec.write(root.getValue()));
        }
        activation(out, m.activation())
                .put("workflow", m.workflow().value())
                .put("version", m.version())
                .put("program", m.program().toString())
                .put("input", input.build())
                .put("waits", m.waits())
                .put("root", m.root().toString())
                .put("depth", m.depth())
                .put(
                        "lineage",
                        new JsonArray(m.lineage().stream()
                                .<JsonValue>map(workflow -> new JsonString(workflow.value()))
                                .toList()))
                .put("correlation", m.correlation())
                .put("principal", m.principal());
    }

    private static StartChild start(JsonCursor at) {
        Map<String, Payload> input = new HashMap<>();
        for (JsonCursor root : at.member("input").members()) {
            input.put(root.token(), PayloadCodec.read(root));
        }
        return new StartChild(
                at.as("workflow", WorkflowId::new),
                at.intValue("version"),
                at.as("program", Sha256::parse),
                input,
                activation(at),
                at.bool("waits"),
                at.as("root", RunId::parse),
                at.intValue("depth"),
                at.list("lineage", workflow -> workflow.as(WorkflowId::new)),
                at.string("correlation"),
                at.string("principal"));
    }

    private static void settled(JsonObject.Builder out, ChildSettled m) {
        activation(out, m.activation())
                .put("ended", m.ended().name())
                .put("output", PayloadCodec.write(m.output()))
                .putValueIfPresent(
                        "error",
                        m.error()
                                .map(error -> JsonObject.builder()
                                        .put("code", error.code())
                                        .put("message", error.message())
                                        .put("details", error.details())
                                        .build()));
    }

    private static JsonObject.Builder activation(JsonObject.Builder out, ActivationId activation) {
        return out.put("activation", activation.toString());
    }

    private static ActivationId activation(JsonCursor at) {
        return at.as("activation", ActivationId::parse);
    }

    private static Payload payload(JsonCursor at, String name) {
        return PayloadCodec.read(at.member(name));
    }

    private static Duration duration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("not a duration: " + text, e);
        }
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("not an instant: " + text, e);
        }
    }
}
