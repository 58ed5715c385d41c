package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;

/**
 * The name under which a mutation may be repeated.
 *
 * @param scope what the key is unique in: {@code start} for starts, {@code run:ID} for mutations of a run
 * @param key the caller's request id or idempotency key
 */
public record ReceiptKey(TenantId tenant, String scope, String key) implements Comparable<ReceiptKey> {
    /** Names a run that began at a point of another one; nobody repeats a request under it. */
    public static ReceiptKey reset(TenantId tenant, RunId of, RunId begun) {
        return new ReceiptKey(tenant, resets(of), begun.toString());
    }

    /** The scope of all runs that began at points of this one. */
    public static String resets(RunId of) {
        return "resets:" + of;
    }

    @Override
    public int compareTo(ReceiptKey other) {
        int byTenant = tenant.compareTo(other.tenant);
        int byScope = byTenant != 0 ? byTenant : scope.compareTo(other.scope);
        return byScope != 0 ? byScope : key.compareTo(other.key);
    }
}
