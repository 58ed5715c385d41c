package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.program.Grid;
import dev.flowstone.kernel.schedule.Recurrence;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;

/** Reads what the templates of a recurring timer were rendered to. */
final class Grids {
    private Grids() {}

    sealed interface Reading {}

    /** It is a grid. */
    record Walk(Ticks ticks) implements Reading {}

    /** It is none, for this reason. */
    record Refused(TaskError error) implements Reading {}

    /** @param anchor a tick, or where the first period begins */
    static Reading read(Deciding deciding, Grid grid, Instant anchor) {
        return switch (grid) {
            case Grid.Every every -> every(deciding, every, anchor);
            case Grid.Cron cron -> cron(deciding, cron);
        };
    }

    private static Reading every(Deciding deciding, Grid.Every every, Instant anchor) {
        try {
            return new Walk(new Ticks(deciding, new Recurrence.Every(anchor, every.period())));
        } catch (IllegalArgumentException _) {
            return new Refused(TaskError.of(
                    "INVALID_DURATION",
                    "a period is at least a millisecond, in whole microseconds, not " + every.period()));
        }
    }

    private static Reading cron(Deciding deciding, Grid.Cron cron) {
        return switch (deciding.env().schedules().read(cron.expression(), ScheduleFormat.EITHER)) {
            case Schedules.Refused refused ->
                invalid("'" + Answers.text(cron.expression(), 60) + "' is no schedule; "
                        + refused.fault().message());
            case Schedules.Parsed parsed -> {
                try {
                    ZoneId zone = ZoneId.of(cron.zone());
                    yield new Walk(new Ticks(deciding, new Recurrence.Scheduled(parsed.schedule(), zone)));
                } catch (DateTimeException _) {
                    yield invalid(
                            "'" + Answers.text(cron.zone(), 60)
                                    + "' is no time zone; allowed: a name such as Europe/Berlin or UTC, or an offset such as +02:00");
                }
            }
        };
    }

    private static Reading invalid(String message) {
        return new Refused(TaskError.of("INVALID_SCHEDULE", Answers.text(message, Answers.MESSAGE)));
    }
}
