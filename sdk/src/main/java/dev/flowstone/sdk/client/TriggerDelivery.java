package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that came for a trigger, and what became of it.
 *
 * @param deliveryId as its sender calls it; of a schedule its tick
 * @param code of the refusal, if it was refused
 * @param executionId that it has started
 */
public record TriggerDelivery(
        String id,
        String deliveryId,
        Instant receivedAt,
        Status status,
        Optional<String> code,
        Optional<String> detail,
        Optional<String> executionId) {
    /** What became of it. */
    public enum Status {
        RECEIVED,
        STARTED,
        REPEATED,
        SIGNALED,
        IGNORED,
        REFUSED,
        /** Something that this release of the library doesn't know. */
        UNKNOWN
    }

    static TriggerDelivery read(Tree tree) {
        return new TriggerDelivery(
                tree.text("id"),
                tree.textOrEmpty("deliveryId"),
                tree.time("receivedAt"),
                tree.word("status", Status.class, Status.UNKNOWN),
                tree.maybeText("code"),
                tree.maybeText("detail"),
                tree.maybeText("executionId"));
    }
}
