package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import org.jspecify.annotations.Nullable;

/** A run, by tenant. Sorted by tenant, then run, which is the order of every array in a commit. */
public record RunKey(TenantId tenant, RunId run) implements Comparable<RunKey> {
    public RunKey {
        requireNonNull(tenant);
        requireNonNull(run);
    }

    // Written out: it is asked many times a decision, and the generated one takes several calls.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunKey that && run.equals(that.run) && tenant.equals(that.tenant);
    }

    @Override
    public int hashCode() {
        return run.hashCode();
    }

    @Override
    public int compareTo(RunKey other) {
        int byTenant = tenant.compareTo(other.tenant);
        return byTenant != 0 ? byTenant : run.compareTo(other.run);
    }
}
