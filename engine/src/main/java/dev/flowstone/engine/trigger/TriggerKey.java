package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;

/** A tenant's trigger. */
public record TriggerKey(TenantId tenant, TriggerId id) {
    public TriggerKey {
        requireNonNull(tenant);
        requireNonNull(id);
    }
}
