package dev.flowstone.kernel.id;

import org.jspecify.annotations.Nullable;

/** Who owns a run and everything about it. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record TenantId(String value) implements Comparable<TenantId> {
    public TenantId {
        Names.check("tenant", value);
    }

    // Written out: it is asked many times a decision, and the generated one takes several calls.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TenantId that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(TenantId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
