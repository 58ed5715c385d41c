package dev.flowstone.kernel.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.schedule.Recurrence.CatchUp;
import dev.flowstone.kernel.schedule.Recurrence.Every;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Periods keep their grid (R19). */
final class RecurrenceTest {
    private static final Instant ANCHOR = Instant.parse("2026-11-27T23:05:00Z");
    private static final Every TEN_MINUTES = new Every(ANCHOR, Duration.ofMinutes(10));

    @Test
    void nextIsStrictlyAfterAndOnTheGrid() {
        assertEquals(Optional.of(ANCHOR), TEN_MINUTES.next(ANCHOR.minusNanos(1)));
        assertEquals(Optional.of(ANCHOR.plusSeconds(600)), TEN_MINUTES.next(ANCHOR));
        assertEquals(Optional.of(ANCHOR.plusSeconds(600)), TEN_MINUTES.next(ANCHOR.plusSeconds(599)));
        assertEquals(Optional.of(ANCHOR.plusSeconds(1_200)), TEN_MINUTES.next(ANCHOR.plusSeconds(600)));
    }

    @Test
    void lateFiringsDoNotAddUp() {
        Instant due = ANCHOR;
        for (int i = 0; i < 1_000; i++) {
            due = TEN_MINUTES.following(due, due.plusSeconds(7), CatchUp.ONCE).orElseThrow();
        }
        assertEquals(ANCHOR.plus(Duration.ofMinutes(10_000)), due);
    }

    @Test
    void downtimeIsCaughtUpOnceOrOneByOne() {
        Instant back = ANCHOR.plus(Duration.ofHours(1)).plusSeconds(1);

        assertEquals(
                Optional.of(ANCHOR.plus(Duration.ofMinutes(70))), TEN_MINUTES.following(ANCHOR, back, CatchUp.ONCE));
        assertEquals(
                Optional.of(ANCHOR.plus(Duration.ofMinutes(10))), TEN_MINUTES.following(ANCHOR, back, CatchUp.EACH));
    }

    @Test
    void aClockThatRunsBehindDoesNotFireTheSameTimeTwice() {
        assertEquals(
                Optional.of(ANCHOR.plusSeconds(600)),
                TEN_MINUTES.following(ANCHOR, ANCHOR.minusSeconds(3), CatchUp.ONCE));
    }

    @Test
    void theGridEndsWithTheYear9999() {
        Every centuries = new Every(ANCHOR, Duration.ofDays(36_525));
        Every longest = new Every(ANCHOR, Duration.ofSeconds(Long.MAX_VALUE));

        assertTrue(centuries.next(Times.LAST).isEmpty());
        assertTrue(centuries.next(Instant.parse("9990-01-01T00:00:00Z")).isEmpty());
        assertEquals(Optional.of(ANCHOR), longest.next(Instant.MIN));
        assertTrue(longest.next(ANCHOR).isEmpty());
        assertTrue(TEN_MINUTES.next(Instant.MAX).isEmpty());
    }

    @Test
    void periodsThatWouldSpinOrCannotBeStoredAreRefused() {
        for (String period : new String[] {"PT0S", "PT-1S", "PT0.0001S", "PT0.0010001S"}) {
            Duration refused = Duration.parse(period);

            assertThrows(IllegalArgumentException.class, () -> new Every(ANCHOR, refused), period);
        }
    }
}
