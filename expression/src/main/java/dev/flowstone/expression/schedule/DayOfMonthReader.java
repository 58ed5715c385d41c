package dev.flowstone.expression.schedule;

/** Reads a day-of-month field: the common notation, or one of {@code L}, {@code L-n}, {@code nW}, {@code LW}, {@code L-nW}. */
final class DayOfMonthReader {
    private DayOfMonthReader() {}

    static DaysOfMonth read(String text) throws FaultException {
        FieldReader reader = new FieldReader(Range.DAY_OF_MONTH, text);
        DaysOfMonth days = days(reader);
        reader.requireEnd();
        return days;
    }

    private static DaysOfMonth days(FieldReader reader) throws FaultException {
        if (reader.acceptStar()) {
            return new DaysOfMonth.Numbered(reader.starred());
        }
        if (reader.acceptLetter('L')) {
            int offset = reader.accept('-') ? reader.number(0, 30, "a number of days before the last") : 0;
            return orNearest(reader, new DaysOfMonth.FromLast(offset));
        }
        int day = reader.value();
        if (reader.acceptLetter('W')) {
            return new DaysOfMonth.NearestWeekday(new DaysOfMonth.Numbered(1L << day));
        }
        return new DaysOfMonth.Numbered(reader.list(day));
    }

    private static DaysOfMonth orNearest(FieldReader reader, DaysOfMonth day) {
        return reader.acceptLetter('W') ? new DaysOfMonth.NearestWeekday(day) : day;
    }
}
