package dev.flowstone.engine.lease;

/** A shard's number. */
public record ShardId(int number) implements Comparable<ShardId> {
    @Override
    public int compareTo(ShardId other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return Integer.toString(number);
    }
}
