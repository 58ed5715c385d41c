package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after so many failures in a row: twice as long each time, up to a cap, and a random point of the upper
 * half, so that those who were cut off together don't come back together.
 */
public record Backoff(Duration first, Duration cap) {
    public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

    private static final int DOUBLINGS = 30;

    public Backoff {
        requireNonNull(first);
        requireNonNull(cap);
        if (first.isNegative() || first.isZero() || cap.compareTo(first) < 0) {
            throw new IllegalArgumentException("a pause is longer than nothing, and its cap no shorter");
        }
    }

    /**
     * The pause.
     *
     * @param failures in a row, from 1
     */
    public Duration after(int failures) {
        long longest = Math.min(cap.toMillis(), first.toMillis() << Math.clamp(failures - 1, 0, DOUBLINGS));
        longest = longest <= 0 ? cap.toMillis() : longest;
        long half = longest / 2;
        return Duration.ofMillis(half + ThreadLocalRandom.current().nextLong(longest - half + 1));
    }
}
