package dev.flowstone.engine.mend;

import static java.util.Objects.requireNonNull;

/**
 * Where a run's rows are not what its log says.
 *
 * @param what the row: {@code status}, {@code awake}, {@code timer wait#1}, {@code task review#1}, {@code snapshot}
 * @param stored what it said, in words
 * @param derived what its log says
 */
public record Difference(Part part, String what, String stored, String derived) {
    /** Rows that are written together. */
    public enum Part {
        HEAD,
        TIMERS,
        TASKS,
        SNAPSHOT
    }

    public Difference {
        requireNonNull(part);
        requireNonNull(what);
        requireNonNull(stored);
        requireNonNull(derived);
    }

    @Override
    public String toString() {
        return what + " was " + stored + ", is " + derived;
    }
}
