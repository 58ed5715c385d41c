package dev.flowstone.kernel.schedule;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramFault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Refuses timers that can never be right, when they are published. What a template says is known only when a run gets
 * there; this looks at what stands in the program as it is.
 */
public final class TimerCheck {
    private static final String TEMPLATE = "{{";
    private final Schedules schedules;
    private final List<Finding> findings = new ArrayList<>();

    private TimerCheck(Schedules schedules) {
        this.schedules = schedules;
    }

    /** What of a timer is wrong, so that a dialect can point at the place where its source says it. */
    public enum Part {
        AFTER,
        AT,
        EVERY,
        CRON,
        ZONE
    }

    /**
     * One thing that is wrong.
     *
     * @param part of the timer that the fault names
     */
    public record Finding(Part part, ProgramFault fault) {
        public Finding {
            requireNonNull(part);
            requireNonNull(fault);
        }
    }

    /** All faults, by node. */
    public static List<ProgramFault> faults(Program program, Schedules schedules) {
        return findings(program, schedules).stream().map(Finding::fault).toList();
    }

    /** The same, with the part of the timer that each is about. */
    public static List<Finding> findings(Program program, Schedules schedules) {
        TimerCheck check = new TimerCheck(schedules);
        for (Node node : program.nodes()) {
            if (node instanceof Node.Timer timer) {
                check.look(timer);
            }
        }
        return List.copyOf(check.findings);
    }

    private void look(Node.Timer timer) {
        switch (timer.due()) {
            case Due.After(JsonValue duration) -> {
                if (isConstant(duration)
                        && DueTimes.duration(duration)
                                .flatMap(it -> DueTimes.after(Instant.EPOCH, it))
                                .isEmpty()) {
                    add(
                            timer,
                            Part.AFTER,
                            "a wait is a number of milliseconds or an ISO 8601 duration that ends before the year 10000");
                }
            }
            case Due.At(JsonValue instant) -> {
                if (isConstant(instant) && DueTimes.instant(instant).isEmpty()) {
                    add(
                            timer,
                            Part.AT,
                            "a due time is an ISO 8601 date and time with an offset, before the year 10000");
                }
            }
            case Due.Every(JsonValue duration, Due.Missed _) -> {
                if (isConstant(duration)
                        && DueTimes.duration(duration)
                                .flatMap(TimerCheck::first)
                                .isEmpty()) {
                    add(
                            timer,
                            Part.EVERY,
                            "a period is a number of milliseconds or an ISO 8601 duration, at least a millisecond, that"
                                    + " ends before the year 10000");
                }
            }
            case Due.Cron cron -> cron(timer, cron);
        }
    }

    private static Optional<Instant> first(Duration period) {
        try {
            return new Recurrence.Every(Instant.EPOCH, period).next(Instant.EPOCH);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private void cron(Node.Timer timer, Due.Cron cron) {
        if (isConstant(cron.zone()) && !isZone(cron.zone())) {
            add(timer, Part.ZONE, "a time zone is a name such as Europe/Berlin or UTC, or an offset such as +02:00");
        }
        if (!isConstant(cron.expression())) {
            return;
        }
        if (!(cron.expression() instanceof JsonString(String expression))) {
            add(timer, Part.CRON, "a schedule is a text");
            return;
        }
        switch (schedules.read(expression, ScheduleFormat.EITHER)) {
            case Schedules.Refused refused ->
                add(timer, Part.CRON, refused.fault().message());
            case Schedules.Parsed parsed -> {
                if (parsed.schedule().isNever()) {
                    add(timer, Part.CRON, "there is no such day in any year");
                }
            }
        }
    }

    private static boolean isZone(JsonValue zone) {
        try {
            return zone instanceof JsonString(String name) && !name.isEmpty() && ZoneId.of(name) != null;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private static boolean isConstant(JsonValue value) {
        return !(value instanceof JsonString(String text)) || !text.contains(TEMPLATE);
    }

    private void add(Node.Timer timer, Part part, String why) {
        ProgramFault fault = new ProgramFault(
                ProgramFault.Code.INVALID_TIMER,
                Optional.of(timer.id()),
                Optional.empty(),
                timer.origin(),
                timer.id() + " can't be due: " + shown(timer.due()) + "; " + why);
        findings.add(new Finding(part, fault));
    }

    private static String shown(Due due) {
        return switch (due) {
            case Due.After(JsonValue duration) -> shown(duration);
            case Due.At(JsonValue instant) -> shown(instant);
            case Due.Every(JsonValue duration, Due.Missed _) -> "every " + shown(duration);
            case Due.Cron cron -> shown(cron.expression()) + " in " + shown(cron.zone());
        };
    }

    private static String shown(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> "'" + text.substring(0, Math.min(text.length(), 100)) + "'";
            case JsonNumber number -> number.toString();
            default -> "a value of another type";
        };
    }
}
