package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Due.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case 17: daily schedules through whole years, in zones whose clocks jump by an hour, by half an hour, or by a day. */
final class DaylightSavingTest {
    private static final String NEW_YORK = "America/New_York";

    @ParameterizedTest
    @CsvSource({
        "America/New_York, 2016",
        "America/New_York, 2026",
        "Europe/Berlin, 2026",
        "Australia/Lord_Howe, 2016",
        "Australia/Lord_Howe, 2026",
        "Asia/Amman, 2017",
        "Asia/Beirut, 2026",
        "America/Santiago, 2017",
        "Africa/Casablanca, 2026",
        "Antarctica/Troll, 2026",
        "Asia/Kolkata, 2026",
        "UTC, 2028"
    })
    void aDailyScheduleFiresOnceOnEveryDayOfTheYear(String zone, int year) {
        int days = LocalDate.ofYearDay(year, 1).lengthOfYear();
        Instant from =
                LocalDate.ofYearDay(year, 1).atStartOfDay(ZoneId.of(zone)).toInstant();
        Instant to =
                LocalDate.ofYearDay(year + 1, 1).atStartOfDay(ZoneId.of(zone)).toInstant();
        for (String expression : List.of("30 1 * * *", "30 2 * * *", "0 0 * * *", "30 0 * * *", "59 23 * * *")) {
            List<Due> dues = Crons.between(expression, zone, from.toString(), to.toString());

            Set<LocalDate> fired = new HashSet<>();
            dues.forEach(due -> fired.add(due.wall().toLocalDate()));
            assertEquals(days, dues.size(), expression);
            assertEquals(days, fired.size(), expression);
        }
    }

    @Test
    void aTimeInAGapFiresOnceWhenTheGapEnds() {
        List<Due> dues = Crons.between("30 2 * * *", NEW_YORK, "2026-03-07T05:00:00Z", "2026-03-10T04:00:00Z");

        assertEquals(
                List.of("2026-03-07 02:30 -05:00", "2026-03-08 03:00 -04:00", "2026-03-09 02:30 -04:00"),
                dues.stream().map(due -> Crons.local(due, NEW_YORK)).toList());
        assertEquals(
                List.of(Clock.PLAIN, Clock.MOVED, Clock.PLAIN),
                dues.stream().map(Due::clock).toList());
        assertEquals("2026-03-08T02:30", dues.get(1).wall().toString());
    }

    @Test
    void severalTimesInOneGapFireOnce() {
        List<Due> dues = Crons.between("0,30 2,3 * * *", NEW_YORK, "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z");

        assertEquals(
                List.of("2026-03-08 03:00 -04:00", "2026-03-08 03:30 -04:00"),
                dues.stream().map(due -> Crons.local(due, NEW_YORK)).toList());
        assertEquals(
                List.of(Clock.MERGED, Clock.PLAIN),
                dues.stream().map(Due::clock).toList());
    }

    @Test
    void aTimeInAnOverlapFiresOnceAtTheFirst() {
        List<Due> dues = Crons.between("30 1 * * *", NEW_YORK, "2026-11-01T04:00:00Z", "2026-11-03T05:00:00Z");

        assertEquals(
                List.of("2026-11-01 01:30 -04:00", "2026-11-02 01:30 -05:00"),
                dues.stream().map(due -> Crons.local(due, NEW_YORK)).toList());
        assertEquals(
                List.of(Clock.ONCE_OF_TWO, Clock.PLAIN),
                dues.stream().map(Due::clock).toList());
    }

    @Test
    void anIntervalGoesOnThroughAnOverlap() {
        List<Due> dues = Crons.between("*/30 1 * * *", NEW_YORK, "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z");

        assertEquals(
                List.of(
                        "2026-11-01 01:00 -04:00",
                        "2026-11-01 01:30 -04:00",
                        "2026-11-01 01:00 -05:00",
                        "2026-11-01 01:30 -05:00"),
                dues.stream().map(due -> Crons.local(due, NEW_YORK)).toList());
        assertEquals(
                List.of(Clock.FIRST_OF_TWO, Clock.FIRST_OF_TWO, Clock.SECOND_OF_TWO, Clock.SECOND_OF_TWO),
                dues.stream().map(Due::clock).toList());
    }

    @Test
    void halfAnHourIsAGapAndAnOverlapToo() {
        String zone = "Australia/Lord_Howe";

        List<Due> gap = Crons.between("15 2 * * *", zone, "2026-10-03T14:00:00Z", "2026-10-04T13:00:00Z");
        List<Due> overlap = Crons.between("45 1 * * *", zone, "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z");
        List<Due> outside = Crons.between("15 1 * * *", zone, "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z");

        assertEquals(
                List.of("2026-10-04 02:30 +11:00"),
                gap.stream().map(due -> Crons.local(due, zone)).toList());
        assertEquals(
                List.of("2026-04-05 01:45 +11:00"),
                overlap.stream().map(due -> Crons.local(due, zone)).toList());
        assertEquals(List.of(Clock.PLAIN), outside.stream().map(Due::clock).toList());
    }

    @Test
    void aDayThatAZoneLeftOutFiresWhenTheNextOneBegins() {
        String zone = "Pacific/Apia";

        List<Due> dues = Crons.between("0 9 * * *", zone, "2011-12-29T10:00:00Z", "2012-01-01T10:00:00Z");

        assertEquals(
                List.of(
                        "2011-12-29 09:00 -10:00",
                        "2011-12-31 00:00 +14:00",
                        "2011-12-31 09:00 +14:00",
                        "2012-01-01 09:00 +14:00"),
                dues.stream().map(due -> Crons.local(due, zone)).toList());
    }

    @Test
    void whoeverGoesOnFromAMovedTimeNeverGetsItTwice() {
        CronSchedule schedule = Crons.cron("30 2 * * *");
        Instant moved = Instant.parse("2026-03-08T07:00:00Z");

        for (boolean inclusive : new boolean[] {true, false}) {
            Optional<Due> after = schedule.next(ZoneId.of(NEW_YORK), moved, inclusive);

            assertEquals(
                    Instant.parse("2026-03-09T06:30:00Z"), after.orElseThrow().at());
        }
        assertTrue(schedule.next(ZoneId.of(NEW_YORK), moved.minusNanos(1), true)
                .filter(due -> due.at().equals(moved))
                .isPresent());
    }
}
