package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.TenantId;

/** Names an incoming message for ever: a second one under the same key is dropped. */
public record InboxKey(TenantId tenant, String source, String key) implements Comparable<InboxKey> {
    @Override
    public int compareTo(InboxKey other) {
        int byTenant = tenant.compareTo(other.tenant);
        int bySource = byTenant != 0 ? byTenant : source.compareTo(other.source);
        return bySource != 0 ? bySource : key.compareTo(other.key);
    }
}
