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
 * @param payload all that its {@link Retrier} needs
 * @param error what went wrong, for people
 */
public record PoisonMessage(
        TenantId tenant,
        DeadSource source,
        String key,
        Slot slot,
        Optional<RunId> run,
        DeadReason reason,
        JsonObject payload,
        String error) {
    public PoisonMessage {
        requireNonNull(tenant);
        requireNonNull(source);
        requireNonNull(key);
        requireNonNull(slot);
        requireNonNull(run);
        requireNonNull(reason);
        requireNonNull(payload);
        requireNonNull(error);
    }
}
