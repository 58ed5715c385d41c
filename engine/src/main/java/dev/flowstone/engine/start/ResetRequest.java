package dev.flowstone.engine.start;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.Optional;

/**
 * A new run that begins at a recorded point of another one.
 *
 * @param from the other run, of the same tenant
 * @param sequence number of its event after which the new run begins
 * @param requestId makes it repeatable, in the scope of the other run
 */
public record ResetRequest(
        TenantId tenant, RunId from, long sequence, Optional<String> requestId, Actor actor, String correlation) {
    public ResetRequest {
        requireNonNull(tenant);
        requireNonNull(from);
        requireNonNull(requestId);
        requireNonNull(actor);
        requireNonNull(correlation);
    }
}
