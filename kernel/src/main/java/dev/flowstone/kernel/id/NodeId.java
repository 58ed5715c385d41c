package dev.flowstone.kernel.id;

/** A node of a program. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record NodeId(String value) implements Comparable<NodeId> {
    public NodeId {
        Names.check("node id", value);
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
