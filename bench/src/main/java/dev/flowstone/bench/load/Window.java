package dev.flowstone.bench.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A stretch of time under load.
 *
 * @param from in the engine's time, as events have it
 * @param to its end, not included
 * @param done units of work that were counted while it passed
 * @param reading what the meter saw
 * @param samples second by second
 */
public record Window(Instant from, Instant to, long done, Reading reading, List<Sample> samples) {
    public Window {
        samples = List.copyOf(samples);
    }

    public double seconds() {
        return Math.max(1e-9, Duration.between(from, to).toNanos() / 1e9);
    }

    /** Whether an instant of the engine's time lies in it. */
    public boolean holds(Instant time) {
        return !time.isBefore(from) && time.isBefore(to);
    }

    public double perSecond(long count) {
        return count / seconds();
    }
}
