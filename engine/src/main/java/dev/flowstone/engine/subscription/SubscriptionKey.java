package dev.flowstone.engine.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;

/** Which subscription of which tenant. */
public record SubscriptionKey(TenantId tenant, SubscriptionName name) {
    public SubscriptionKey {
        requireNonNull(tenant);
        requireNonNull(name);
    }

    @Override
    public String toString() {
        return tenant + "/" + name;
    }
}
