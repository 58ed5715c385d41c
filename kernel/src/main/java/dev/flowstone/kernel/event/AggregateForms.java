package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.AggregateEvent.LeaseExpired;
import dev.flowstone.kernel.event.AggregateEvent.PermitGranted;
import dev.flowstone.kernel.event.AggregateEvent.PermitReleased;
import dev.flowstone.kernel.event.AggregateEvent.PermitRequestWithdrawn;
import dev.flowstone.kernel.event.AggregateEvent.PermitRequested;
import dev.flowstone.kernel.event.AggregateEvent.ResourceFound;
import dev.flowstone.kernel.event.AggregateEvent.ResourceLinked;
import dev.flowstone.kernel.event.AggregateEvent.SignalExpired;
import dev.flowstone.kernel.event.AggregateEvent.SignalMatched;
import dev.flowstone.kernel.event.AggregateEvent.SignalReceived;
import dev.flowstone.kernel.event.AggregateEvent.SignalRefused;
import dev.flowstone.kernel.event.AggregateEvent.SignalTakenBack;
import dev.flowstone.kernel.event.AggregateEvent.SubscriptionClosed;
import dev.flowstone.kernel.event.AggregateEvent.SubscriptionOpened;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;

/** Stored forms of what happens in aggregates. Written as values; the canonical writer sorts them. */
final class AggregateForms {
    private AggregateForms() {}

    static JsonObject.Builder members(AggregateEvent body) {
        JsonObject.Builder out = JsonObject.builder();
        return switch (body) {
            case SubscriptionOpened b ->
                who(out, b.run(), b.activation())
                        .put("signalType", b.signalType())
                        .put("key", b.key());
            case SubscriptionClosed b -> who(out, b.run(), b.activation());
            case SignalReceived b ->
                out.put("signal", b.signal())
                        .put("signalType", b.signalType())
                        .put("key", b.key())
                        .put("payload", PayloadCodec.write(b.payload()))
                        .putIfPresent("dedupe", b.dedupe())
                        .put("dedupeUntil", Times.write(b.dedupeUntil()))
                        .put("broadcast", b.broadcast())
                        .put("expiresAt", Times.write(b.expiresAt()))
                        .putIfPresent("source", b.source().map(RunId::toString));
            case SignalMatched b -> who(out, b.run(), b.activation()).put("signal", b.signal());
            case SignalTakenBack b ->
                who(out, b.run(), b.activation())
                        .put("signal", b.signal())
                        .put("payload", PayloadCodec.write(b.payload()))
                        .put("expiresAt", Times.write(b.expiresAt()));
            case SignalExpired b -> out.put("signal", b.signal());
            case SignalRefused b ->
                out.put("signalType", b.signalType())
                        .put("key", b.key())
                        .putIfPresent("dedupe", b.dedupe())
                        .putIfPresent("source", b.source().map(RunId::toString))
                        .put("code", b.code());
            case PermitRequested b ->
                who(out, b.run(), b.activation())
                        .put("semaphore", b.semaphore())
                        .put("limit", b.limit())
                        .put("permits", b.permits())
                        .put("lease", b.lease().toString());
            case PermitGranted b ->
                who(out, b.run(), b.activation())
                        .put("permits", b.permits())
                        .put("fence", b.fence())
                        .put("expiresAt", Times.write(b.expiresAt()));
            case PermitReleased b -> who(out, b.run(), b.activation());
            case PermitRequestWithdrawn b -> who(out, b.run(), b.activation());
            case LeaseExpired b -> who(out, b.run(), b.activation()).put("fence", b.fence());
            case ResourceLinked b ->
                who(out, b.run(), b.activation())
                        .put("resourceType", b.resourceType())
                        .put("key", b.key())
                        .put("content", PayloadCodec.write(b.content()));
            case ResourceFound b -> who(out, b.run(), b.activation());
        };
    }

    static SubscriptionOpened subscriptionOpened(JsonCursor at) {
        return new SubscriptionOpened(run(at), Parts.activation(at), at.string("signalType"), at.string("key"));
    }

    static SubscriptionClosed subscriptionClosed(JsonCursor at) {
        return new SubscriptionClosed(run(at), Parts.activation(at));
    }

    static SignalReceived signalReceived(JsonCursor at) {
        return new SignalReceived(
                at.longValue("signal"),
                at.string("signalType"),
                at.string("key"),
                payload(at, "payload"),
                at.find("dedupe").map(JsonCursor::string),
                at.as("dedupeUntil", Times::read),
                at.bool("broadcast"),
                at.as("expiresAt", Times::read),
                at.find("source").map(source -> source.as(RunId::parse)));
    }

    static SignalMatched signalMatched(JsonCursor at) {
        return new SignalMatched(at.longValue("signal"), run(at), Parts.activation(at));
    }

    static SignalTakenBack signalTakenBack(JsonCursor at) {
        return new SignalTakenBack(
                at.longValue("signal"),
                run(at),
                Parts.activation(at),
                payload(at, "payload"),
                at.as("expiresAt", Times::read));
    }

    static SignalExpired signalExpired(JsonCursor at) {
        return new SignalExpired(at.longValue("signal"));
    }

    static SignalRefused signalRefused(JsonCursor at) {
        return new SignalRefused(
                at.string("signalType"),
                at.string("key"),
                at.find("dedupe").map(JsonCursor::string),
                at.find("source").map(source -> source.as(RunId::parse)),
                at.string("code"));
    }

    static PermitRequested permitRequested(JsonCursor at) {
        return new PermitRequested(
                run(at),
                Parts.activation(at),
                at.string("semaphore"),
                at.intValue("limit"),
                at.intValue("permits"),
                Parts.duration(at.member("lease")));
    }

    static PermitGranted permitGranted(JsonCursor at) {
        return new PermitGranted(
                run(at),
                Parts.activation(at),
                at.intValue("permits"),
                at.longValue("fence"),
                at.as("expiresAt", Times::read));
    }

    static PermitReleased permitReleased(JsonCursor at) {
        return new PermitReleased(run(at), Parts.activation(at));
    }

    static PermitRequestWithdrawn permitRequestWithdrawn(JsonCursor at) {
        return new PermitRequestWithdrawn(run(at), Parts.activation(at));
    }

    static LeaseExpired leaseExpired(JsonCursor at) {
        return new LeaseExpired(run(at), Parts.activation(at), at.longValue("fence"));
    }

    static ResourceLinked resourceLinked(JsonCursor at) {
        return new ResourceLinked(
                run(at), Parts.activation(at), at.string("resourceType"), at.string("key"), payload(at, "content"));
    }

    static ResourceFound resourceFound(JsonCursor at) {
        return new ResourceFound(run(at), Parts.activation(at));
    }

    private static JsonObject.Builder who(JsonObject.Builder out, RunId run, ActivationId activation) {
        return out.put("run", run.toString()).put("activation", activation.toString());
    }

    private static RunId run(JsonCursor at) {
        return at.as("run", RunId::parse);
    }

    private static Payload payload(JsonCursor at, String name) {
        return PayloadCodec.read(at.member(name));
    }
}
