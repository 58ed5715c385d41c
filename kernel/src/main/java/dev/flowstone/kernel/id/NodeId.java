package dev.flowstone.kernel.id;

import org.jspecify.annotations.Nullable;

/** A node of a program. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record NodeId(String value) implements Comparable<NodeId> {
    public NodeId {
        Names.check("node id", value);
    }

    // Written out: it is asked many times a decision, and the generated one takes several calls.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeId that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
