package dev.flowstone.kernel.id;

/** A timer of a run. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record TimerId(String value) implements Comparable<TimerId> {
    public TimerId {
        Names.check("timer id", value);
    }

    @Override
    public int compareTo(TimerId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
