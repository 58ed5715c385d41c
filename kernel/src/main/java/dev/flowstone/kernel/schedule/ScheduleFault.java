package dev.flowstone.kernel.schedule;

import static java.util.Objects.requireNonNull;

/**
 * Why a text is no schedule.
 *
 * @param problem what was wrong, such as {@code 60 is out of range}
 * @param allowed what would be right, such as {@code 0 to 59, or * or ?}
 */
public record ScheduleFault(ScheduleField field, String problem, String allowed) {
    public ScheduleFault {
        requireNonNull(field);
        requireNonNull(problem);
        requireNonNull(allowed);
    }

    /** All of it in one sentence. */
    public String message() {
        return field + ": " + problem + "; allowed: " + allowed;
    }
}
