package dev.flowstone.expression.schedule;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The due times on a wall clock that never jumps.
 *
 * @param seconds bit {@code n} stands for second {@code n}; minutes and hours likewise. None is empty
 */
record WallTimes(long seconds, long minutes, long hours, MonthTable months) {
    private static final int LAST_YEAR = 9999;

    /** The first due time at or after that one, or null if there is none before the year 10000. */
    @Nullable
    LocalDateTime next(LocalDateTime from, StepCount steps) {
        steps.add();
        if (months.isEmpty() || from.getYear() > LAST_YEAR) {
            return null;
        }
        int days = months.days(from.getYear(), from.getMonthValue());
        if ((days & (1 << from.getDayOfMonth())) != 0) {
            LocalDateTime today = laterOn(from);
            if (today != null) {
                return today;
            }
        }
        // All days after this one; the shift is in two parts because day 31 would shift by 32, which is by nothing.
        int later = days & ((-1 << from.getDayOfMonth()) << 1);
        if (later != 0) {
            return firstOn(from.getYear(), from.getMonthValue(), later);
        }
        return inLaterMonth(from.getYear(), from.getMonthValue() + 1, steps);
    }

    private @Nullable LocalDateTime inLaterMonth(int fromYear, int fromMonth, StepCount steps) {
        int month = fromMonth;
        for (int year = fromYear; year <= LAST_YEAR; year++) {
            steps.add();
            for (; month <= 12 && months.hasDays(year); month++) {
                steps.add();
                int days = months.days(year, month);
                if (days != 0) {
                    return firstOn(year, month, days);
                }
            }
            month = 1;
        }
        return null;
    }

    private LocalDateTime firstOn(int year, int month, int days) {
        return LocalDateTime.of(year, month, lowest(days), lowest(hours), lowest(minutes), lowest(seconds));
    }

    /** On the same day, at or after that time. */
    private @Nullable LocalDateTime laterOn(LocalDateTime from) {
        int hour = atOrAfter(hours, from.getHour());
        if (hour != from.getHour()) {
            return hour < 0 ? null : at(from, hour, lowest(minutes), lowest(seconds));
        }
        int minute = atOrAfter(minutes, from.getMinute());
        int second = minute == from.getMinute() ? atOrAfter(seconds, from.getSecond()) : lowest(seconds);
        if (minute >= 0 && second >= 0) {
            return at(from, hour, minute, second);
        }
        int nextMinute = minute < 0 ? -1 : atOrAfter(minutes, minute + 1);
        if (nextMinute >= 0) {
            return at(from, hour, nextMinute, lowest(seconds));
        }
        int nextHour = atOrAfter(hours, hour + 1);
        return nextHour < 0 ? null : at(from, nextHour, lowest(minutes), lowest(seconds));
    }

    private static LocalDateTime at(LocalDateTime day, int hour, int minute, int second) {
        return day.toLocalDate().atTime(hour, minute, second);
    }

    private static int lowest(long bits) {
        return Long.numberOfTrailingZeros(bits);
    }

    /** The first bit from there, or -1. */
    private static int atOrAfter(long bits, int from) {
        long rest = bits & (-1L << from);
        return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
    }
}
