package dev.flowstone.expression.schedule;

/**
 * All that tells the days of one month from those of another.
 *
 * @param length in days
 * @param firstDayOfWeek of its day 1, from Sunday, 0
 */
record Month(int length, int firstDayOfWeek) {
    static final int SUNDAY = 0;
    static final int SATURDAY = 6;

    int dayOfWeek(int day) {
        return (firstDayOfWeek + day - 1) % 7;
    }

    /** The mask of all its days. */
    int all() {
        return (int) ((1L << (length + 1)) - 2);
    }

    /** The mask of one day; of none if it has no such day. */
    int day(int day) {
        return day < 1 || day > length ? 0 : 1 << day;
    }
}
