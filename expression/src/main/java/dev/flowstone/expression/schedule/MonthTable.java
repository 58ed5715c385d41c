package dev.flowstone.expression.schedule;

import java.time.Year;

/**
 * The days of every month of every year. A Gregorian year is one of 14 kinds: it is a leap year or not, and begins on one of
 * seven days.
 */
final class MonthTable {
    private static final int[] LENGTHS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    private static final int FEBRUARY = 1;
    private static final int KINDS = 14;
    private static final int MONTHS = 12;

    /** By kind of year and month; bit {@code n} is day {@code n}. */
    private final int[] days;

    private MonthTable(int[] days) {
        this.days = days;
    }

    static MonthTable of(long months, DaysOfMonth daysOfMonth, DaysOfWeek daysOfWeek) {
        int[] days = new int[KINDS * MONTHS];
        for (int kind = 0; kind < KINDS; kind++) {
            int dayOfWeek = kind % 7;
            for (int month = 0; month < MONTHS; month++) {
                int length = LENGTHS[month] + (month == FEBRUARY && kind >= 7 ? 1 : 0);
                if ((months & (1L << (month + 1))) != 0) {
                    Month shape = new Month(length, dayOfWeek);
                    days[kind * MONTHS + month] = daysOfMonth.of(shape) & daysOfWeek.of(shape);
                }
                dayOfWeek = (dayOfWeek + length) % 7;
            }
        }
        return new MonthTable(days);
    }

    int days(int year, int month) {
        return days[kind(year) * MONTHS + month - 1];
    }

    /** Whether a year of this kind has a day. */
    boolean hasDays(int year) {
        return hasDaysOfKind(kind(year));
    }

    /** Whether no year has a day. */
    boolean isEmpty() {
        for (int kind = 0; kind < KINDS; kind++) {
            if (hasDaysOfKind(kind)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasDaysOfKind(int kind) {
        for (int month = 0; month < MONTHS; month++) {
            if (days[kind * MONTHS + month] != 0) {
                return true;
            }
        }
        return false;
    }

    private static int kind(int year) {
        int before = year - 1;
        // Year 1 began on a Monday, and each year moves the next one's first day by one, or two after a leap year.
        long firstDayOfWeek =
                1L + before + Math.floorDiv(before, 4) - Math.floorDiv(before, 100) + Math.floorDiv(before, 400);
        return (int) Math.floorMod(firstDayOfWeek, 7L) + (Year.isLeap(year) ? 7 : 0);
    }
}
