package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.MessageEvent.AwaitOpened;
import dev.flowstone.kernel.event.MessageEvent.AwaitTimedOut;
import dev.flowstone.kernel.event.MessageEvent.CallTimedOut;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.event.MessageEvent.MessageReceived;
import dev.flowstone.kernel.event.MessageEvent.ParentDetached;
import dev.flowstone.kernel.event.MessageEvent.PermitAcquired;
import dev.flowstone.kernel.event.MessageEvent.PermitAwaited;
import dev.flowstone.kernel.event.MessageEvent.PermitGivenBack;
import dev.flowstone.kernel.event.MessageEvent.PermitLost;
import dev.flowstone.kernel.event.MessageEvent.PermitsReleased;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.event.MessageEvent.SignalAccepted;
import dev.flowstone.kernel.event.MessageEvent.SignalHandedBack;
import dev.flowstone.kernel.event.MessageEvent.SignalSent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.program.ChildPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Stored forms of what a run says to others and hears of them. Written as values; the canonical writer sorts them. */
final class MessageForms {
    private MessageForms() {}

    static JsonObject.Builder members(MessageEvent body) {
        JsonObject.Builder out = JsonObject.builder();
        return switch (body) {
            case MessageReceived b -> out.put("sender", b.sender().toString()).put("number", b.number());
            case ResourceClaimed b ->
                at(out, b.activation())
                        .put("attempt", b.attempt())
                        .put("resourceType", b.resourceType())
                        .put("key", b.key())
                        .put("content", PayloadCodec.write(b.content()));
            case ResourceSettled b ->
                at(out, b.activation())
                        .put("resource", b.resource().toString())
                        .put("owned", b.owned())
                        .put("owner", b.owner().toString())
                        .put("content", PayloadCodec.write(b.content()));
            case AwaitOpened b ->
                at(out, b.activation())
                        .put("channel", b.channel().toString())
                        .put("signalType", b.signalType())
                        .put("key", b.key());
            case SignalAccepted b ->
                at(out, b.activation())
                        .put("channel", b.channel().toString())
                        .put("signal", b.signal())
                        .put("payload", PayloadCodec.write(b.payload()));
            case SignalHandedBack b ->
                at(out, b.activation()).put("channel", b.channel().toString()).put("signal", b.signal());
            case PermitAwaited b ->
                semaphore(out, b.activation(), b.semaphore())
                        .put("name", b.name())
                        .put("limit", b.limit())
                        .put("permits", b.permits())
                        .put("lease", b.lease().toString());
            case PermitAcquired b ->
                semaphore(out, b.activation(), b.semaphore())
                        .put("permits", b.permits())
                        .put("fence", b.fence())
                        .put("expiresAt", Times.write(b.expiresAt()));
            case PermitGivenBack b -> semaphore(out, b.activation(), b.semaphore());
            case PermitLost b -> semaphore(out, b.activation(), b.semaphore()).put("fence", b.fence());
            case AwaitTimedOut b -> at(out, b.activation());
            case SignalSent b ->
                at(out, b.activation())
                        .put("channel", b.channel().toString())
                        .put("signalType", b.signalType())
                        .put("key", b.key())
                        .put("payload", PayloadCodec.write(b.payload()))
                        .putIfPresent("dedupe", b.dedupe())
                        .put("broadcast", b.broadcast())
                        .put("expiresAt", Times.write(b.expiresAt()));
            case PermitsReleased b -> at(out, b.activation()).put("awaits", b.awaits());
            case ChildStarted b ->
                at(out, b.activation())
                        .put("child", b.child().toString())
                        .put("called", b.called().value())
                        .put("childVersion", b.childVersion())
                        .put("program", b.program().toString())
                        .put("input", input(b.input()))
                        .put("awaited", b.awaited());
            case CallTimedOut b ->
                at(out, b.activation()).put("policy", b.policy().name());
            case ChildControlled b ->
                at(out, b.activation())
                        .put("child", b.child().toString())
                        .put("operation", b.operation().name())
                        .put("reason", b.reason());
            case ChildEnded b ->
                at(out, b.activation())
                        .put("child", b.child().toString())
                        .put("ended", b.ended().name())
                        .put("output", PayloadCodec.write(b.output()))
                        .putValueIfPresent("error", b.error().map(MessageForms::error));
            case ChildBegun b ->
                at(out, b.activation())
                        .put("parent", b.parent().toString())
                        .put("awaited", b.awaited())
                        .put("root", b.root().toString())
                        .put("depth", b.depth())
                        .put(
                                "lineage",
                                new JsonArray(b.lineage().stream()
                                        .<JsonValue>map(workflow -> new JsonString(workflow.value()))
                                        .toList()))
                        .put("principal", b.principal());
            case ParentDetached b -> out.put("reason", b.reason());
        };
    }

    static MessageReceived received(JsonCursor at) {
        return new MessageReceived(run(at, "sender"), at.longValue("number"));
    }

    static ResourceClaimed resourceClaimed(JsonCursor at) {
        return new ResourceClaimed(
                Parts.activation(at),
                at.intValue("attempt"),
                at.string("resourceType"),
                at.string("key"),
                PayloadCodec.read(at.member("content")));
    }

    static ResourceSettled resourceSettled(JsonCursor at) {
        return new ResourceSettled(
                Parts.activation(at),
                at.as("resource", RunId::parse),
                at.bool("owned"),
                at.as("owner", RunId::parse),
                PayloadCodec.read(at.member("content")));
    }

    static AwaitOpened awaitOpened(JsonCursor at) {
        return new AwaitOpened(Parts.activation(at), run(at, "channel"), at.string("signalType"), at.string("key"));
    }

    static SignalAccepted signalAccepted(JsonCursor at) {
        return new SignalAccepted(
                Parts.activation(at), run(at, "channel"), at.longValue("signal"), payload(at, "payload"));
    }

    static SignalHandedBack signalHandedBack(JsonCursor at) {
        return new SignalHandedBack(Parts.activation(at), run(at, "channel"), at.longValue("signal"));
    }

    static PermitAwaited permitAwaited(JsonCursor at) {
        return new PermitAwaited(
                Parts.activation(at),
                run(at, "semaphore"),
                at.string("name"),
                at.intValue("limit"),
                at.intValue("permits"),
                Parts.duration(at.member("lease")));
    }

    static PermitAcquired permitAcquired(JsonCursor at) {
        return new PermitAcquired(
                Parts.activation(at),
                run(at, "semaphore"),
                at.intValue("permits"),
                at.longValue("fence"),
                at.as("expiresAt", Times::read));
    }

    static PermitGivenBack permitGivenBack(JsonCursor at) {
        return new PermitGivenBack(Parts.activation(at), run(at, "semaphore"));
    }

    static PermitLost permitLost(JsonCursor at) {
        return new PermitLost(Parts.activation(at), run(at, "semaphore"), at.longValue("fence"));
    }

    static AwaitTimedOut awaitTimedOut(JsonCursor at) {
        return new AwaitTimedOut(Parts.activation(at));
    }

    static SignalSent signalSent(JsonCursor at) {
        return new SignalSent(
                Parts.activation(at),
                run(at, "channel"),
                at.string("signalType"),
                at.string("key"),
                payload(at, "payload"),
                at.find("dedupe").map(JsonCursor::string),
                at.bool("broadcast"),
                at.as("expiresAt", Times::read));
    }

    static PermitsReleased permitsReleased(JsonCursor at) {
        return new PermitsReleased(Parts.activation(at), at.intValue("awaits"));
    }

    static ChildStarted childStarted(JsonCursor at) {
        Map<String, Payload> input = new LinkedHashMap<>();
        for (JsonCursor root : at.member("input").members()) {
            input.put(root.token(), PayloadCodec.read(root));
        }
        return new ChildStarted(
                Parts.activation(at),
                run(at, "child"),
                at.as("called", WorkflowId::new),
                at.intValue("childVersion"),
                at.as("program", Sha256::parse),
                input,
                at.bool("awaited"));
    }

    static CallTimedOut callTimedOut(JsonCursor at) {
        return new CallTimedOut(Parts.activation(at), at.as("policy", ChildPolicy::valueOf));
    }

    static ChildControlled childControlled(JsonCursor at) {
        return new ChildControlled(
                Parts.activation(at),
                run(at, "child"),
                at.as("operation", Message.Operation::valueOf),
                at.string("reason"));
    }

    static ChildEnded childEnded(JsonCursor at) {
        return new ChildEnded(
                Parts.activation(at),
                run(at, "child"),
                at.as("ended", Message.Ended::valueOf),
                payload(at, "output"),
                at.find("error").map(Parts::error));
    }

    static ChildBegun childBegun(JsonCursor at) {
        return new ChildBegun(
                run(at, "parent"),
                Parts.activation(at),
                at.bool("awaited"),
                run(at, "root"),
                at.intValue("depth"),
                at.list("lineage", workflow -> workflow.as(WorkflowId::new)),
                at.string("principal"));
    }

    static ParentDetached parentDetached(JsonCursor at) {
        return new ParentDetached(at.string("reason"));
    }

    private static JsonObject input(Map<String, Payload> input) {
        JsonObject.Builder out = JsonObject.builder();
        for (Map.Entry<String, Payload> root : new TreeMap<>(input).entrySet()) {
            out.put(root.getKey(), PayloadCodec.write(root.getValue()));
        }
        return out.build();
    }

    private static JsonObject error(TaskError error) {
        return JsonObject.builder()
                .put("code", error.code())
                .put("message", error.message())
                .put("details", error.details())
                .build();
    }

    private static JsonObject.Builder at(JsonObject.Builder out, ActivationId activation) {
        return out.put("activation", activation.toString());
    }

    private static JsonObject.Builder semaphore(JsonObject.Builder out, ActivationId activation, RunId semaphore) {
        return at(out, activation).put("semaphore", semaphore.toString());
    }

    private static RunId run(JsonCursor at, String name) {
        return at.as(name, RunId::parse);
    }

    private static Payload payload(JsonCursor at, String name) {
        return PayloadCodec.read(at.member(name));
    }
}
