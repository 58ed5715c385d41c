package dev.flowstone.kernel.schedule;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * A due time.
 *
 * @param at when; whole seconds
 * @param wall what the schedule asked for on the zone's wall clock; the first of them if several were moved to {@code at}
 * @param clock what the wall clock did then
 */
public record Due(Instant at, LocalDateTime wall, Clock clock) {
    public Due {
        requireNonNull(at);
        requireNonNull(wall);
        requireNonNull(clock);
    }

    /** What daylight saving, or another change of the zone's offset, means for a due time. */
    public enum Clock {
        /** Nothing: the wall clock shows this time once. */
        PLAIN,
        /** The wall clock jumps over it: due when the jump ends. */
        MOVED,
        /** The wall clock jumps over it and at least one other, or jumps to another: due once for all of them. */
        MERGED,
        /** The wall clock shows it twice; due once, at the first. */
        ONCE_OF_TWO,
        /** The wall clock shows it twice; due at both, and this is the first. */
        FIRST_OF_TWO,
        /** The wall clock shows it twice; due at both, and this is the second. */
        SECOND_OF_TWO
    }
}
