package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.schedule.Recurrence;
import dev.flowstone.kernel.schedule.Recurrence.CatchUp;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Recurring timers by a schedule (R19). */
final class ScheduledRecurrenceTest {
    private static final Recurrence DAILY =
            new Recurrence.Scheduled(Crons.cron("0 9 * * *"), ZoneId.of("Europe/Berlin"));
    private static final Instant DUE = Instant.parse("2026-11-01T08:00:00Z");

    @Test
    void aFiringThatIsLateDoesNotMoveTheNext() {
        assertEquals(
                Optional.of(Instant.parse("2026-11-02T08:00:00Z")),
                DAILY.following(DUE, DUE.plusSeconds(3_600), CatchUp.ONCE));
    }

    @Test
    void aWeekOfDowntimeIsCaughtUpByOneFiringUnlessAllAreAskedFor() {
        Instant back = Instant.parse("2026-11-08T12:00:00Z");

        assertEquals(Optional.of(Instant.parse("2026-11-09T08:00:00Z")), DAILY.following(DUE, back, CatchUp.ONCE));
        assertEquals(Optional.of(Instant.parse("2026-11-02T08:00:00Z")), DAILY.following(DUE, back, CatchUp.EACH));
    }
}
