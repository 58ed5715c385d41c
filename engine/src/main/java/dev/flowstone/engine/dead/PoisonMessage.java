package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * Something that could not be taken up.
 *
 * @param key names it among those of its source for ever, so that it is one dead letter however often it fails
 * @param slot whose shard's owner tries it again
 * @param run the execution that it is for, or is
 * @param sender the execution that it is from, if it is one of those that must reach theirs in order (R21): letters of one source
 *     from one to another are a <i>pair</i>'s, and none is tried before those that came before it
 * @param payload all that its {@link Retrier} needs
 * @param error what went wrong, for people
 */
public record PoisonMessage(
        TenantId tenant,
        DeadSource source,
        String key,
        Slot slot,
        Optional<RunId> run,
        Optional<RunId> sender,
        DeadReason reason,
        JsonObject payload,
        String error) {
    public PoisonMessage {
        requireNonNull(tenant);
        requireNonNull(source);
        requireNonNull(key);
        requireNonNull(slot);
        requireNonNull(run);
        requireNonNull(sender);
        if (sender.isPresent() && run.isEmpty()) {
            throw new IllegalArgumentException("a pair has a receiver");
        }
        requireNonNull(reason);
        requireNonNull(payload);
        requireNonNull(error);
    }

    /** One that has no order. */
    public PoisonMessage(
            TenantId tenant,
            DeadSource source,
            String key,
            Slot slot,
            Optional<RunId> run,
            DeadReason reason,
            JsonObject payload,
            String error) {
        this(tenant, source, key, slot, run, Optional.empty(), reason, payload, error);
    }
}
