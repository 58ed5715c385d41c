package dev.flowstone.kernel.id;

/** Who owns a run and everything about it. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record TenantId(String value) implements Comparable<TenantId> {
    public TenantId {
        Names.check("tenant", value);
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
