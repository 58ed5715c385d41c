package dev.flowstone.kernel.id;

/** A scope of a program. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record ScopeId(String value) implements Comparable<ScopeId> {
    public ScopeId {
        Names.check("scope id", value);
    }

    @Override
    public int compareTo(ScopeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
