package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.schedule.Due;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 18 and 20: months of every length, and the ends of time. */
final class CalendarTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final int FEW_STEPS = 64;

    @ParameterizedTest
    @ValueSource(ints = {29, 30, 31})
    void aMonthWithoutThatDayIsSkippedWithoutDriftOverTwoYears(int day) {
        List<LocalDate> expected = months().filter(month -> month.isValidDay(day))
                .map(month -> month.atDay(day))
                .toList();

        assertEquals(expected, dates("0 9 " + day + " * *"));
    }

    @Test
    void theLastDayIsInEveryMonthLeapYearsIncluded() {
        assertEquals(months().map(YearMonth::atEndOfMonth).toList(), dates("0 9 L * *"));
        assertTrue(dates("0 9 L * *").contains(LocalDate.of(2028, 2, 29)));
    }

    @Test
    void bothDayFieldsMustHold() {
        assertEquals(List.of(LocalDate.of(2027, 8, 13), LocalDate.of(2028, 10, 13)), dates("0 9 13 * FRI"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 30 2 *",
                "0 0 31 4,6,9,11 *",
                "0 0 L-30 2 *",
                "0 0 1 * SUN#2",
                "0 0 29W 2 SUN",
                "0 0 28 2 1#5"
            })
    void aDayThatNoYearHasIsKnownAtOnce(String expression) {
        StepCount steps = new StepCount();
        CronSchedule schedule = Crons.cron(expression);

        assertTrue(schedule.isNever());
        assertTrue(schedule.next(BERLIN, Instant.EPOCH, true, steps).isEmpty());
        assertTrue(steps.steps() <= 2, () -> steps.steps() + " steps");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 29 2 *",
                // A leap day on a Monday, 28 years apart and 40 around most turns of a century.
                "0 0 29 2 MON",
                "0 0 29W 2 MON#5",
                "* * * * * *",
                "59 59 23 31 12 SUN",
                "30 2 * * *"
            })
    void everySearchIsShortWhereverItBegins(String expression) {
        CronSchedule schedule = Crons.cron(expression);
        for (int year = 1; year < 10_000; year += 7) {
            Instant from = LocalDate.of(year, 3, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
            StepCount steps = new StepCount();
            schedule.next(BERLIN, from, false, steps);

            int at = year;
            assertTrue(steps.steps() <= FEW_STEPS, () -> steps.steps() + " steps from " + at);
        }
    }

    @Test
    void theYearNineThousandNineHundredNinetyNineIsTheLast() {
        CronSchedule newYear = Crons.cron("0 0 1 1 *");

        assertEquals(
                Instant.parse("9999-01-01T00:00:00Z"),
                newYear.next(ZoneOffset.UTC, Instant.parse("9998-06-01T00:00:00Z"), false)
                        .orElseThrow()
                        .at());
        assertTrue(newYear.next(ZoneOffset.UTC, Instant.parse("9999-01-01T00:00:00Z"), false)
                .isEmpty());
        assertFalse(newYear.isNever());
    }

    @Test
    void aTimeOfTheYear9999ThatIsTheYear10000InUtcIsNever() {
        CronSchedule schedule = Crons.cron("0 22 31 12 *");
        Instant from = Instant.parse("9999-12-01T00:00:00Z");

        assertTrue(schedule.next(ZoneId.of("America/New_York"), from, false).isEmpty());
        assertTrue(schedule.next(ZoneId.of("Asia/Tokyo"), from, false).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"* * * * * *", "0 0 29 2 *", "30 2 * * *", "*/30 1 L * *"})
    void instantsAtBothEndsOfTimeOverflowNothing(String expression) {
        CronSchedule schedule = Crons.cron(expression);
        for (String zone : List.of("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York")) {
            for (Instant from : List.of(Instant.MIN, Instant.EPOCH.minusSeconds(62_167_219_201L))) {
                Due first = schedule.next(ZoneId.of(zone), from, false).orElseThrow();
                assertFalse(first.at().isBefore(Instant.parse("0000-01-01T00:00:00Z")));
            }
            assertTrue(schedule.next(ZoneId.of(zone), Instant.MAX, true).isEmpty());
            assertTrue(schedule.next(ZoneId.of(zone), Instant.parse("9999-12-31T23:59:59.999999Z"), false)
                    .isEmpty());
        }
    }

    private static Stream<YearMonth> months() {
        return Stream.iterate(YearMonth.of(2027, 1), month -> month.plusMonths(1))
                .limit(24);
    }

    /** In 2027 and 2028, a leap year. */
    private static List<LocalDate> dates(String expression) {
        return Crons.between(expression, BERLIN.getId(), "2026-12-31T23:00:00Z", "2028-12-31T23:00:00Z").stream()
                .map(due -> due.at().atZone(BERLIN).toLocalDate())
                .toList();
    }
}
