package dev.flowstone.kernel.schedule;

/** Reads schedules. Pure: the same text gives the same answer; nothing in a text makes it throw. */
@FunctionalInterface
public interface Schedules {
    /** What the text means in that format, or its first fault from the left. */
    Reading read(String expression, ScheduleFormat format);

    /** How a text was understood. */
    sealed interface Reading {}

    /** It is a schedule. */
    record Parsed(Schedule schedule) implements Reading {}

    /** It is none. */
    record Refused(ScheduleFault fault) implements Reading {}
}
