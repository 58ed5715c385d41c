package dev.flowstone.expression.schedule;

/** Reads a day-of-week field: the common notation, or one of {@code nL} and {@code n#k}. Sunday is 0 and 7. */
final class DayOfWeekReader {
    private DayOfWeekReader() {}

    static DaysOfWeek read(String text) throws FaultException {
        FieldReader reader = new FieldReader(Range.DAY_OF_WEEK, text);
        DaysOfWeek days = days(reader);
        reader.requireEnd();
        return days;
    }

    private static DaysOfWeek days(FieldReader reader) throws FaultException {
        if (reader.acceptStar()) {
            return named(reader.starred());
        }
        int day = reader.value();
        if (reader.acceptLetter('L')) {
            return new DaysOfWeek.Last(day % 7);
        }
        if (reader.accept('#')) {
            return new DaysOfWeek.Nth(day % 7, reader.number(1, 5, "which one in the month"));
        }
        return named(reader.list(day));
    }

    private static DaysOfWeek named(long bits) {
        return new DaysOfWeek.Named((bits | bits >>> 7) & 0x7F);
    }
}
