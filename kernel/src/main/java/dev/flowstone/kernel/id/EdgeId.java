package dev.flowstone.kernel.id;

/** An edge of a program. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record EdgeId(String value) implements Comparable<EdgeId> {
    public EdgeId {
        Names.check("edge id", value);
    }

    @Override
    public int compareTo(EdgeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
