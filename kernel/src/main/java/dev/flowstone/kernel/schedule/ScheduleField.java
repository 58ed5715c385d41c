package dev.flowstone.kernel.schedule;

/** What a fault of a schedule can be about, in the order of writing. */
public enum ScheduleField {
    SECOND("second"),
    MINUTE("minute"),
    HOUR("hour"),
    DAY_OF_MONTH("day-of-month"),
    MONTH("month"),
    DAY_OF_WEEK("day-of-week"),
    /** Its whole: the number of fields, a macro's name. */
    EXPRESSION("expression");

    private final String text;

    ScheduleField(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
