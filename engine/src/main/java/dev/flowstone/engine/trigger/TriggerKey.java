package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;

/** A tenant's trigger. */
public record TriggerKey(TenantId tenant, TriggerId id) {
    public TriggerKey {
        requireNonNull(tenant);
        requireNonNull(id);
    }

    /** Where its rows are at home; fixed for ever. */
    public Slot slot() {
        return RequestSlot.of(tenant, id.toString());
    }
}
