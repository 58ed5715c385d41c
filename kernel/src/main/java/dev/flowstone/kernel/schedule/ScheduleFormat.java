package dev.flowstone.kernel.schedule;

/** How many fields a schedule has. Macros such as {@code @daily} are part of each. */
public enum ScheduleFormat {
    /** Five: minute, hour, day-of-month, month, day-of-week. */
    STANDARD,
    /** Six: a second before them. */
    SECONDS,
    /** One of both, told by the number of fields. */
    EITHER
}
