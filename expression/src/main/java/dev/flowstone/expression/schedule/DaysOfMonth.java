package dev.flowstone.expression.schedule;

/** Which days of a month a day-of-month field means. Bit {@code n} of a mask is day {@code n}. */
sealed interface DaysOfMonth {
    /** Days that this month doesn't have are none of its days: nothing is clamped or carried over. */
    int of(Month month);

    /** The days with these numbers. */
    record Numbered(long bits) implements DaysOfMonth {
        @Override
        public int of(Month month) {
            return (int) bits & month.all();
        }
    }

    /** So many days before the last one. */
    record FromLast(int offset) implements DaysOfMonth {
        @Override
        public int of(Month month) {
            return month.day(month.length() - offset);
        }
    }

    /** The weekday from Monday to Friday nearest to that day, within the month. */
    record NearestWeekday(DaysOfMonth day) implements DaysOfMonth {
        @Override
        public int of(Month month) {
            int mask = day.of(month);
            if (mask == 0) {
                return 0;
            }
            int number = Integer.numberOfTrailingZeros(mask);
            return month.day(
                    switch (month.dayOfWeek(number)) {
                        case Month.SATURDAY -> number == 1 ? 3 : number - 1;
                        case Month.SUNDAY -> number == month.length() ? number - 2 : number + 1;
                        default -> number;
                    });
        }
    }
}
