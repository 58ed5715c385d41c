package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * What could not be taken up, as it is kept.
 *
 * @param id grows with time
 * @param key names it among those of its source
 * @param attempts to take it up, the first included
 * @param dueAt when it is tried again, if it waits
 * @param error of the last attempt that is known to have failed
 * @param enqueuedAt when it failed first
 * @param failedAt when it failed last
 */
public record DeadLetter(
        TenantId tenant,
        long id,
        DeadSource source,
        String key,
        Optional<RunId> run,
        DeadReason reason,
        JsonObject payload,
        State state,
        int attempts,
        Optional<Instant> dueAt,
        String error,
        Instant enqueuedAt,
        Instant failedAt) {
    /** Where it is. */
    public enum State {
        /** It is tried again by itself. */
        WAITING,
        /** It isn't tried any more, unless somebody requeues it. */
        DEAD
    }

    public DeadLetter {
        requireNonNull(tenant);
        requireNonNull(source);
        requireNonNull(key);
        requireNonNull(run);
        requireNonNull(reason);
        requireNonNull(payload);
        requireNonNull(state);
        requireNonNull(dueAt);
        requireNonNull(error);
        requireNonNull(enqueuedAt);
        requireNonNull(failedAt);
    }
}
