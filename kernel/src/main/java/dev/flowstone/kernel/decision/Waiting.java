package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Grid;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.schedule.DueTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Begins the wait of a timer node (R19). A due time in the past fires at once; one beyond the year 9999 is refused. */
final class Waiting {
    private Waiting() {}

    static void begin(Deciding deciding, Node.Timer timer, ActivationId id) {
        switch (timer.due()) {
            case Due.After(JsonValue duration) -> {
                JsonValue wait = rendered(deciding, id, duration);
                if (wait != null) {
                    set(deciding, id, duration(wait).flatMap(it -> Timers.due(deciding.now(), it)), invalid(wait));
                }
            }
            case Due.At(JsonValue instant) -> {
                JsonValue time = rendered(deciding, id, instant);
                if (time != null) {
                    set(deciding, id, DueTimes.instant(time), noInstant(time));
                }
            }
            case Due.Every(JsonValue duration, Due.Missed missed) -> {
                JsonValue period = rendered(deciding, id, duration);
                if (period != null) {
                    duration(period)
                            .ifPresentOrElse(
                                    it -> Recurring.begin(deciding, id, new Grid.Every(it), missed),
                                    () -> Dispatching.failed(deciding, id, 1, invalid(period)));
                }
            }
            case Due.Cron cron -> cron(deciding, id, cron);
        }
    }

    private static void cron(Deciding deciding, ActivationId id, Due.Cron cron) {
        JsonValue expression = rendered(deciding, id, cron.expression());
        JsonValue zone = expression == null ? null : rendered(deciding, id, cron.zone());
        if (expression == null || zone == null) {
            return;
        }
        if (expression instanceof JsonString(String schedule) && zone instanceof JsonString(String name)) {
            Recurring.begin(deciding, id, new Grid.Cron(schedule, name), cron.missed());
            return;
        }
        Dispatching.failed(
                deciding,
                id,
                1,
                TaskError.of(
                        "INVALID_SCHEDULE",
                        "a schedule and its time zone are texts, not " + shown(expression) + " and " + shown(zone)));
    }

    /** Null if the node has failed over it. */
    private static @Nullable JsonValue rendered(Deciding deciding, ActivationId id, JsonValue template) {
        return switch (deciding.render(template)) {
            case Rendering.Rendered rendered -> rendered.value();
            case Rendering.Failed failed -> {
                Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
                yield null;
            }
        };
    }

    private static void set(Deciding deciding, ActivationId id, Optional<Instant> due, TaskError otherwise) {
        if (due.isEmpty()) {
            Dispatching.failed(deciding, id, 1, otherwise);
            return;
        }
        TimerId name = Timers.wait(id);
        int generation = Timers.generation(deciding, 1);
        deciding.emit(
                new EventBody.TimerSet(name, generation, due.get(), EventBody.TimerPurpose.WAIT, Optional.of(id)));
        if (!due.get().isAfter(deciding.now())) {
            deciding.emit(new EventBody.TimerFired(name, generation));
        }
    }

    /** A number counts milliseconds; a text is an ISO 8601 duration of days and smaller units. */
    static Optional<Duration> duration(JsonValue value) {
        return DueTimes.duration(value);
    }

    static TaskError invalid(JsonValue value) {
        return TaskError.of(
                "INVALID_DURATION",
                "a wait is a number of milliseconds or an ISO 8601 duration that ends before the year 10000, not "
                        + shown(value));
    }

    private static TaskError noInstant(JsonValue value) {
        return TaskError.of(
                "INVALID_INSTANT",
                "a due time is an ISO 8601 date and time with an offset, before the year 10000, not " + shown(value));
    }

    private static String shown(JsonValue value) {
        return switch (value) {
            case JsonString text -> "'" + Answers.text(text.value(), 60) + "'";
            case JsonNumber number -> Answers.text(number.toString(), 60);
            default -> "a value of another type";
        };
    }
}
