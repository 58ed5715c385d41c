package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;

/** A run, by tenant. Sorted by tenant, then run, which is the order of every array in a commit. */
public record RunKey(TenantId tenant, RunId run) implements Comparable<RunKey> {
    public RunKey {
        requireNonNull(tenant);
        requireNonNull(run);
    }

    @Override
    public int compareTo(RunKey other) {
        int byTenant = tenant.compareTo(other.tenant);
        return byTenant != 0 ? byTenant : run.compareTo(other.run);
    }
}
