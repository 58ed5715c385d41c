package dev.flowstone.engine.effect;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.json.JsonObject;

/**
 * One try to deliver a message.
 *
 * @param key the same for every try of this message and for no other: run, causing event, ordinal
 * @param attempt counts from 1
 */
public record Delivery(RunKey run, String key, String destination, JsonObject content, int attempt) {
    static Delivery of(Outbox.Pending pending) {
        String key = pending.run().run() + "/" + pending.message().causeSequence() + "/"
                + pending.message().ordinal();
        return new Delivery(
                pending.run(),
                key,
                pending.message().destination(),
                pending.message().content(),
                pending.attempts() + 1);
    }
}
