package dev.flowstone.engine.effect;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * One try to deliver a message.
 *
 * @param key the same for every try of this message and for no other, see {@link dev.flowstone.engine.journal.OutboxKey}
 * @param attempt counts from 1, also over those before it was put back from the dead letters
 * @param traceparent hand it to the other side as the header of that name
 */
public record Delivery(
        RunKey run, String key, String destination, JsonObject content, int attempt, Optional<String> traceparent)
        implements LogContext {
    static Delivery of(Outbox.Pending pending) {
        return new Delivery(
                pending.run(),
                pending.key().text(),
                pending.message().destination(),
                pending.message().content(),
                pending.attempt(),
                Optional.empty());
    }

    Delivery following(Optional<String> place) {
        return new Delivery(run, key, destination, content, attempt, place);
    }

    @Override
    public void describe(BiConsumer<String, String> field) {
        field.accept("tenant", run.tenant().value());
        field.accept("run", run.run().toString());
        field.accept("event", key.split(":", -1)[1]);
        field.accept("destination", destination);
        field.accept("attempt", Integer.toString(attempt));
    }
}
