package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.MessageEvent.PermitsReleased;
import dev.flowstone.kernel.event.MessageEvent.SignalSent;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Target;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.HeldPermit;
import dev.flowstone.kernel.state.ScopeInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sends a signal, or gives permits back, and is done by that (R20). */
final class Emitting {
    private Emitting() {}

    static void begin(Deciding deciding, Node.Emit node, ActivationId id) {
        switch (node.target()) {
            case Target.Channel target -> {
                JsonObject templates = JsonObject.builder()
                        .put("key", target.key())
                        .put("payload", target.payload())
                        .putValueIfPresent("dedupe", target.dedupe())
                        .build();
                signal(deciding, id, target.type(), templates, Optional.of(target.timeToLive()));
            }
            case Target.Broadcast target -> {
                JsonObject templates = JsonObject.builder()
                        .put("key", target.key())
                        .put("payload", target.payload())
                        .build();
                signal(deciding, id, target.type(), templates, Optional.empty());
            }
            case Target.Release target -> release(deciding, id, target.await());
        }
    }

    /** A broadcast is not kept, so it has no time to live. */
    private static void signal(
            Deciding deciding, ActivationId id, String type, JsonObject templates, Optional<Duration> timeToLive) {
        switch (deciding.render(templates)) {
            case Rendering.Failed failed -> Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
            case Rendering.Rendered rendered -> send(deciding, id, type, (JsonObject) rendered.value(), timeToLive);
        }
    }

    private static void send(
            Deciding deciding, ActivationId id, String type, JsonObject rendered, Optional<Duration> timeToLive) {
        JsonValue name = rendered.get("dedupe");
        Optional<String> key = Awaiting.key(rendered.get("key"));
        Optional<String> dedupe = name == null ? Optional.of(ownKey(deciding, id)) : Awaiting.key(name);
        JsonValue payload = rendered.get("payload");
        if (key.isEmpty() || dedupe.isEmpty() || payload == null) {
            Dispatching.failed(deciding, id, 1, Awaiting.invalidKey());
            return;
        }
        Instant expires = timeToLive
                .map(life -> life.compareTo(deciding.bounds().messages().signalLife()) > 0
                        ? deciding.bounds().messages().signalLife()
                        : life)
                .map(life -> Timers.due(deciding.now(), life).orElse(Times.LAST))
                .orElse(deciding.now());
        RunId channel = Aggregates.channel(deciding.state().tenant().orElseThrow(), type, key.get());
        boolean broadcast = timeToLive.isEmpty();
        Payload content = Payload.of(payload);
        if (deciding.offer(new SignalSent(id, channel, type, key.get(), content, dedupe, broadcast, expires))) {
            deciding.send(channel, new Message.Signal(type, key.get(), content, dedupe, broadcast, expires));
        } else {
            Dispatching.failed(deciding, id, 1, Awaiting.tooLarge(deciding.bounds()));
        }
    }

    private static String ownKey(Deciding deciding, ActivationId id) {
        Activation activation = deciding.state().activation(id);
        if (activation == null) {
            throw new IllegalStateException("an activation that was just opened is known: " + id);
        }
        return activation.key().toString();
    }

    /** What the await got in this scope instance, or in the innermost around it in which it got any. */
    private static void release(Deciding deciding, ActivationId id, NodeId await) {
        Draft state = deciding.state();
        Activation activation = state.activation(id);
        ScopeInstance scope = activation == null ? null : state.tree().scope(activation.scope());
        int released = 0;
        while (scope != null && released == 0) {
            HeldPermit held = state.post().permitIn(scope.number(), await);
            while (held != null) {
                Permits.giveBack(deciding, held);
                released++;
                held = state.post().permitIn(scope.number(), await);
            }
            scope = state.tree().scope(scope.parent());
        }
        deciding.emit(new PermitsReleased(id, released));
    }
}
