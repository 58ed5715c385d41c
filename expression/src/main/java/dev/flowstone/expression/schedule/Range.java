package dev.flowstone.expression.schedule;

import dev.flowstone.kernel.schedule.ScheduleField;
import java.util.Locale;

/** A field's values, and how people call them. */
enum Range {
    SECOND(ScheduleField.SECOND, 0, 59, 60, ""),
    MINUTE(ScheduleField.MINUTE, 0, 59, 60, ""),
    HOUR(ScheduleField.HOUR, 0, 23, 24, ""),
    DAY_OF_MONTH(ScheduleField.DAY_OF_MONTH, 1, 31, 31, ""),
    MONTH(ScheduleField.MONTH, 1, 12, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    /** Sunday is both 0 and 7. */
    DAY_OF_WEEK(ScheduleField.DAY_OF_WEEK, 0, 7, 7, "SUN MON TUE WED THU FRI SAT");

    private final ScheduleField field;
    private final int first;
    private final int last;
    private final int cycle;
    /** Of three letters each, and a space between two of them. */
    private final String names;

    Range(ScheduleField field, int first, int last, int cycle, String names) {
        this.field = field;
        this.first = first;
        this.last = last;
        this.cycle = cycle;
        this.names = names;
    }

    ScheduleField field() {
        return field;
    }

    int first() {
        return first;
    }

    int last() {
        return last;
    }

    /** Bit {@code n} stands for value {@code n}. */
    long all() {
        return every(first, last, 1);
    }

    /** {@code low} and every {@code step}th value after it, up to {@code high}; around the end if that is lower. */
    long every(int low, int high, int step) {
        long bits = 0;
        if (low <= high) {
            for (int value = low; value <= high; value += step) {
                bits |= 1L << value;
            }
            return bits;
        }
        int span = Math.floorMod(high - low, cycle);
        for (int distance = 0; distance <= span; distance += step) {
            bits |= 1L << (first + (low - first + distance) % cycle);
        }
        return bits;
    }

    /** The value of a name of three letters in either case, or -1. */
    int named(String name) {
        int index = names.indexOf(name.toUpperCase(Locale.ROOT));
        return index < 0 ? -1 : first + index / 4;
    }

    /** Its values in words. */
    String inWords() {
        String numbers = first + " to " + last;
        return names.isEmpty()
                ? numbers
                : numbers + " or " + names.substring(0, 3) + " to " + names.substring(names.length() - 3);
    }

    boolean hasNames() {
        return !names.isEmpty();
    }
}
