package dev.flowstone.engine.effect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** When a message that failed is tried again, and when no more. */
final class EndingsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration BASE = Duration.ofSeconds(1);
    private static final Duration CAP = Duration.ofMinutes(10);
    private static final OutboxConfig CONFIG =
            new OutboxConfig(10, 12, BASE, CAP, Duration.ofSeconds(30), Duration.ofSeconds(1));
    private static final int RETRIES = CONFIG.attempts() - 1;
    private static final int DRAWS = 500;

    /** Draws one value for ever, as far as it is asked for as much. */
    private record Always(double part) implements RandomGenerator {
        @Override
        public long nextLong() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nextLong(long bound) {
            return Math.min(bound - 1, (long) (part * bound));
        }
    }

    private static Outbox.Settlement failed(RandomGenerator random, int failures, Exception thrown) {
        RunKey run = new RunKey(new TenantId("acme"), RunId.of(NOW, new Slot(5), 42));
        OutboxMessage message = new OutboxMessage(1, 0, "mail", JsonObject.EMPTY);
        return new Endings(CONFIG, random)
                .failed(new Outbox.Pending(run, message, failures - 1), NOW, Duration.ZERO, thrown, NOW);
    }

    /** After so many failures of which this is the last. */
    private static Duration pause(RandomGenerator random, int failures, Exception thrown) {
        Outbox.Settlement settlement = failed(random, failures, thrown);
        return Duration.between(
                NOW,
                assertInstanceOf(Outbox.Settlement.Postponed.class, settlement).nextAttempt());
    }

    private static Duration pause(RandomGenerator random, int failures) {
        return pause(random, failures, new IllegalStateException("the server said 503"));
    }

    /** What a pause is drawn from the upper half of. */
    private static Duration whole(int failures) {
        Duration doubled = BASE.multipliedBy(1L << (failures - 1));
        return doubled.compareTo(CAP) < 0 ? doubled : CAP;
    }

    @Test
    void aPauseIsBetweenHalfAndAllOfWhatDoublesUpToTheCap() {
        SplittableRandom random = new SplittableRandom(7);
        for (int failures = 1; failures <= RETRIES; failures++) {
            Duration whole = whole(failures);
            for (int draw = 0; draw < DRAWS; draw++) {
                Duration pause = pause(random, failures);
                assertTrue(
                        pause.compareTo(whole.dividedBy(2)) >= 0 && pause.compareTo(whole) < 0,
                        failures + " failures: " + pause);
            }
        }
        assertEquals(CAP, whole(RETRIES));
    }

    @Test
    void itsBoundsAreReached() {
        for (int failures = 1; failures <= RETRIES; failures++) {
            assertEquals(whole(failures).dividedBy(2), pause(new Always(0), failures));
            assertEquals(whole(failures).minusNanos(1), pause(new Always(1), failures));
        }
    }

    /** Else all that failed together would come back together. */
    @Test
    void pausesOfThoseThatFailTogetherAreSpread() {
        SplittableRandom random = new SplittableRandom(7);
        for (int failures : List.of(1, 5, RETRIES)) {
            long eighth = whole(failures).toNanos() / 8;
            int[] inEighths = new int[8];
            for (int draw = 0; draw < DRAWS; draw++) {
                inEighths[(int) (pause(random, failures).toNanos() / eighth)]++;
            }
            for (int count : Arrays.copyOfRange(inEighths, 4, 8)) {
                assertTrue(count > DRAWS / 8, failures + " failures: " + Arrays.toString(inEighths));
            }
        }
    }

    @Test
    void theOtherSideMayAskForMoreAndForNoLess() {
        assertEquals(
                Duration.ofMinutes(20),
                pause(new Always(0), 1, new Publisher.RetryableException("busy", 503, Duration.ofMinutes(20))));
        assertEquals(
                Duration.ofDays(1),
                pause(new Always(0), 1, new Publisher.RetryableException("busy", 503, Duration.ofDays(99))));
        assertEquals(
                Duration.ofSeconds(8),
                pause(new Always(0), 5, new Publisher.RetryableException("busy", 503, Duration.ofSeconds(1))));
    }

    @Test
    void theLastAttemptIsFollowedByNone() {
        Outbox.Settlement last = failed(new Always(0), CONFIG.attempts(), new IllegalStateException("503"));

        assertEquals(
                Outbox.DeathReason.EXHAUSTED,
                assertInstanceOf(Outbox.Settlement.Dead.class, last).reason());
    }
}
