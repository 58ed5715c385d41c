package dev.flowstone.bench;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * How to measure {@code sequence}.
 *
 * @param measure how long is counted
 * @param inflight runs at once; empty: the best of {@code trials}
 * @param trials how many runs at once to try for a moment each
 * @param trial how long each is tried; the first one also warms up
 * @param bare how long each setting of the bare loop is counted
 */
public record SequenceOptions(
        Duration measure, OptionalInt inflight, List<Integer> trials, Duration trial, Duration bare) {
    public SequenceOptions {
        trials = List.copyOf(trials);
    }

    public static SequenceOptions of(Duration measure, OptionalInt inflight) {
        return new SequenceOptions(
                measure, inflight, List.of(500, 1_000, 2_000, 4_000), Duration.ofSeconds(3), Duration.ofSeconds(3));
    }
}
