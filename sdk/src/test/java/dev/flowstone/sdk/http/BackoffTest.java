package dev.flowstone.sdk.http;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pauses grow, are bounded, and differ. */
final class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

    @Test
    void pausesGrowUpToTheCapAndAreNeverShorterThanHalf() {
        for (int failures : new int[] {1, 2, 3, 4, 5, 6, 40, 1_000, Integer.MAX_VALUE}) {
            long longest = Math.min(2_000, 100L << Math.min(failures - 1, 10));
            for (int i = 0; i < 200; i++) {
                long pause = backoff.after(failures).toMillis();
                assertTrue(pause >= longest / 2 && pause <= longest, failures + ": " + pause);
            }
        }
    }

    @Test
    void thoseWhoWereCutOffTogetherDoNotComeBackTogether() {
        Set<Duration> pauses = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            pauses.add(backoff.after(5));
        }
        assertTrue(pauses.size() > 50, () -> "only " + pauses.size());
    }

    @Test
    void refusesPausesOfNothing() {
        assertThrows(IllegalArgumentException.class, () -> new Backoff(Duration.ZERO, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    }
}
