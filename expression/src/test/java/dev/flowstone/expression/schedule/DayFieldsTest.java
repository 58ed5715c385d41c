package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.schedule.Due;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The special characters of the day fields, against java.time, in years of all kinds and around turns of centuries. */
final class DayFieldsTest {
    private static final int YEARS = 30;

    @ParameterizedTest
    @ValueSource(ints = {1, 1895, 1999, 2020, 2095, 9969})
    void lastDaysAndDaysBeforeThem(int year) {
        for (int offset = 0; offset <= 30; offset++) {
            int before = offset;
            check(year, "L-" + offset + " * *", day -> day.getDayOfMonth() == day.lengthOfMonth() - before);
        }
        check(year, "L 2 *", day -> day.getMonthValue() == 2 && day.getDayOfMonth() == day.lengthOfMonth());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1895, 1999, 2020, 2095, 9969})
    void nearestWeekdays(int year) {
        for (int number = 1; number <= 31; number++) {
            int wanted = number;
            check(
                    year,
                    number + "W * *",
                    day -> wanted <= day.lengthOfMonth() && day.equals(nearest(day.withDayOfMonth(wanted))));
        }
        for (int offset = 0; offset <= 30; offset++) {
            int before = offset;
            check(
                    year,
                    "L-" + offset + "W * *",
                    day -> before < day.lengthOfMonth()
                            && day.equals(nearest(day.withDayOfMonth(day.lengthOfMonth() - before))));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1895, 1999, 2020, 2095, 9969})
    void nthAndLastDaysOfTheWeek(int year) {
        for (int number = 0; number <= 7; number++) {
            DayOfWeek name = DayOfWeek.of(number == 0 ? 7 : number);
            check(year, "* * " + number + "L", day -> day.equals(day.with(TemporalAdjusters.lastInMonth(name))));
            for (int nth = 1; nth <= 5; nth++) {
                int which = nth;
                check(
                        year,
                        "* * " + number + "#" + nth,
                        day -> day.getDayOfWeek() == name && (day.getDayOfMonth() - 1) / 7 + 1 == which);
            }
        }
    }

    /** Of the weekdays in the month the one with the least distance; a Saturday or Sunday has only one at distance 1. */
    private static LocalDate nearest(LocalDate day) {
        return Stream.of(0, -1, 1, -2, 2)
                .map(day::plusDays)
                .filter(it -> it.getMonth() == day.getMonth())
                .filter(it -> it.getDayOfWeek().getValue() <= 5)
                .findFirst()
                .orElseThrow();
    }

    private static void check(int year, String days, Predicate<LocalDate> matches) {
        LocalDate first = LocalDate.of(year, 1, 1);
        LocalDate end = first.plusYears(YEARS);
        List<LocalDate> expected = first.datesUntil(end).filter(matches).toList();

        List<LocalDate> found = Crons.between("0 0 " + days, "UTC", first + "T00:00:00Z", end + "T00:00:00Z").stream()
                .map(Due::at)
                .map(at -> at.atZone(ZoneOffset.UTC).toLocalDate())
                .toList();

        assertEquals(expected, found, () -> days + " from " + year);
    }
}
