package dev.flowstone.expression.schedule;

/** Which days of a month a day-of-week field means. Days of the week count from Sunday, 0. */
sealed interface DaysOfWeek {
    int of(Month month);

    /** All days with one of these names. */
    record Named(long bits) implements DaysOfWeek {
        @Override
        public int of(Month month) {
            int mask = 0;
            for (int day = 1; day <= month.length(); day++) {
                mask |= (bits & (1L << month.dayOfWeek(day))) == 0 ? 0 : month.day(day);
            }
            return mask;
        }
    }

    /** The nth day of that name. */
    record Nth(int dayOfWeek, int nth) implements DaysOfWeek {
        @Override
        public int of(Month month) {
            int first = 1 + Math.floorMod(dayOfWeek - month.dayOfWeek(1), 7);
            return month.day(first + (nth - 1) * 7);
        }
    }

    /** The last day of that name. */
    record Last(int dayOfWeek) implements DaysOfWeek {
        @Override
        public int of(Month month) {
            int back = Math.floorMod(month.dayOfWeek(month.length()) - dayOfWeek, 7);
            return month.day(month.length() - back);
        }
    }
}
