package dev.flowstone.expression.schedule;

import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.ScheduleFault;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.opentest4j.AssertionFailedError;

/** Short words for tests about schedules. */
final class Crons {
    private static final Schedules SCHEDULES = new CronSchedules();

    private Crons() {}

    static CronSchedule cron(String expression) {
        return switch (SCHEDULES.read(expression, ScheduleFormat.EITHER)) {
            case Schedules.Parsed(CronSchedule schedule) -> schedule;
            case Schedules.Parsed other -> throw new AssertionFailedError("somebody else's: " + other);
            case Schedules.Refused(ScheduleFault fault) -> throw new AssertionFailedError(fault.message());
        };
    }

    static ScheduleFault fault(String expression, ScheduleFormat format) {
        return switch (SCHEDULES.read(expression, format)) {
            case Schedules.Refused(ScheduleFault fault) -> fault;
            case Schedules.Parsed _ -> throw new AssertionFailedError("accepted: " + expression);
        };
    }

    /** All due times from the first instant to the one before the last, each asked for from the one before it. */
    static List<Due> between(String expression, String zone, String from, String to) {
        CronSchedule schedule = cron(expression);
        ZoneId rules = ZoneId.of(zone);
        Instant last = Instant.parse(to);
        List<Due> dues = new ArrayList<>();
        Optional<Due> due = schedule.next(rules, Instant.parse(from), true);
        while (due.isPresent() && due.get().at().isBefore(last)) {
            dues.add(due.get());
            due = schedule.next(rules, due.get().at(), false);
        }
        return dues;
    }

    /** As {@code 2026-03-08 03:00 -04:00}. */
    static String local(Due due, String zone) {
        ZonedDateTime time = due.at().atZone(ZoneId.of(zone));
        return time.toLocalDate() + " " + time.toLocalTime() + " " + time.getOffset();
    }
}
