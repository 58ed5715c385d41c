package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;

/**
 * Something that must leave, at least once, under a key that never changes: (run, causing sequence number, ordinal).
 *
 * @param destination name of the publisher that delivers it
 */
public record OutboxMessage(long causeSequence, int ordinal, String destination, JsonObject content) {
    public OutboxMessage {
        requireNonNull(destination);
        requireNonNull(content);
    }

    /** Of a run's message. */
    public OutboxKey key(RunKey run) {
        return new OutboxKey(run, causeSequence, ordinal);
    }
}
