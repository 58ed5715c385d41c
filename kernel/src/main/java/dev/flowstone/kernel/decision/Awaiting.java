package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.MessageEvent.AwaitOpened;
import dev.flowstone.kernel.event.MessageEvent.PermitAwaited;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.state.OpenAwait;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Begins to wait for a signal or for permits (R20): the aggregate learns of it by a message. */
final class Awaiting {
    /** Characters of a correlation key, or of a semaphore's name. */
    static final int KEY = 500;

    private Awaiting() {}

    static void begin(Deciding deciding, Node.Await node, ActivationId id) {
        JsonValue key = switch (node.source()) {
            case Source.Channel channel -> channel.key();
            case Source.Permit permit -> permit.semaphore();
        };
        JsonObject templates = Timeouts.with(JsonObject.builder().put("key", key), node.timeout())
                .build();
        switch (deciding.render(templates)) {
            case Rendering.Failed failed -> Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
            case Rendering.Rendered rendered -> begin(deciding, node, id, (JsonObject) rendered.value());
        }
    }

    private static void begin(Deciding deciding, Node.Await node, ActivationId id, JsonObject rendered) {
        Optional<String> key = key(rendered.get("key"));
        if (key.isEmpty()) {
            Dispatching.failed(deciding, id, 1, invalidKey());
            return;
        }
        JsonValue timeout = rendered.get("timeout");
        Optional<Instant> due = timeout == null ? Optional.empty() : Timeouts.due(deciding, timeout);
        if (timeout != null && due.isEmpty()) {
            Dispatching.failed(deciding, id, 1, Waiting.invalid(timeout));
            return;
        }
        TenantId tenant = deciding.state().tenant().orElseThrow();
        switch (node.source()) {
            case Source.Channel source -> {
                RunId channel = Aggregates.channel(tenant, source.type(), key.get());
                deciding.emit(new AwaitOpened(id, channel, source.type(), key.get()));
                deciding.send(channel, new Message.Subscribe(id, source.type(), key.get()));
            }
            case Source.Permit source -> {
                RunId semaphore = Aggregates.semaphore(tenant, key.get());
                deciding.emit(
                        new PermitAwaited(id, semaphore, key.get(), source.limit(), source.permits(), source.lease()));
                deciding.send(
                        semaphore,
                        new Message.Acquire(id, key.get(), source.limit(), source.permits(), source.lease()));
            }
        }
        due.ifPresent(at -> Timeouts.set(deciding, id, at));
    }

    /** Tells the aggregate that the activation no longer waits; the event emitted last is the cause. */
    static void giveUp(Deciding deciding, OpenAwait await) {
        deciding.send(
                await.from(),
                await.permit() ? new Message.Release(await.activation()) : new Message.Unsubscribe(await.activation()));
    }

    /** A text that may name a channel or a semaphore. */
    static Optional<String> key(@Nullable JsonValue rendered) {
        return rendered instanceof JsonString text
                        && !text.value().isEmpty()
                        && text.value().length() <= KEY
                ? Optional.of(text.value())
                : Optional.empty();
    }

    static TaskError invalidKey() {
        return TaskError.of(
                "INVALID_KEY",
                "a correlation key, a semaphore's name and a signal's name are texts of 1 to " + KEY + " characters");
    }

    static TaskError tooLarge(Bounds bounds) {
        return TaskError.of("SIGNAL_TOO_LARGE", "the signal is longer than an event may be: " + bounds.eventBytes());
    }
}
