package dev.flowstone.outbound;

import java.time.Duration;

/**
 * When a call is over, by the clock that never turns back.
 *
 * @param at in nanoseconds of {@link System#nanoTime}
 */
record Deadline(long at) {
    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    /** Nothing once it has passed. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, at - System.nanoTime()));
    }
}
