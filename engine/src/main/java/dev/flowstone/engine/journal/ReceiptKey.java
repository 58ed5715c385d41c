package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.TenantId;

/**
 * The name under which a mutation may be repeated.
 *
 * @param scope what the key is unique in: {@code start} for starts, {@code run:ID} for mutations of a run
 * @param key the caller's request id or idempotency key
 */
public record ReceiptKey(TenantId tenant, String scope, String key) implements Comparable<ReceiptKey> {
    @Override
    public int compareTo(ReceiptKey other) {
        int byTenant = tenant.compareTo(other.tenant);
        int byScope = byTenant != 0 ? byTenant : scope.compareTo(other.scope);
        return byScope != 0 ? byScope : key.compareTo(other.key);
    }
}
