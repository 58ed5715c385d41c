package dev.flowstone.kernel.id;

/**
 * A timer of a run. 1 to {@value TimerId#MAX_LENGTH} characters, no control characters: longer than other names, since
 * an activation's timers are named after it.
 */
public record TimerId(String value) implements Comparable<TimerId> {
    /** A node's name, its visit, and a purpose. */
    public static final int MAX_LENGTH = 240;

    public TimerId {
        Names.check("timer id", value, MAX_LENGTH);
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
