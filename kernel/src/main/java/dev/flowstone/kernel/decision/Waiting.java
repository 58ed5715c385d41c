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
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.schedule.DueTimes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Begins the wait of a timer node (R19). A due time in the past fires at once; one beyond the year 9999 is refused. */
final class Waiting {
    private static final BigDecimal MICROS_PER_MILLI = BigDecimal.valueOf(1_000);
    private static final long MICROS = 1_000_000;

    private Waiting() {}

    static void begin(Deciding deciding, Node.Timer timer, ActivationId id) {
        if (!(timer.due() instanceof Due.After after)) {
            throw new UnsupportedOperationException("to be written on this branch: " + timer.due());
        }
        switch (deciding.render(after.duration())) {
            case Rendering.Failed failed -> Dispatching.failed(deciding, id, 1, Dispatching.templateError(failed));
            case Rendering.Rendered rendered -> {
                Optional<Instant> due = duration(rendered.value()).flatMap(wait -> Timers.due(deciding.now(), wait));
                if (due.isEmpty()) {
                    Dispatching.failed(deciding, id, 1, invalid(rendered.value()));
                } else {
                    set(deciding, id, due.get());
                }
            }
        }
    }

    private static void set(Deciding deciding, ActivationId id, Instant due) {
        TimerId name = Timers.wait(id);
        int generation = Timers.generation(deciding, 1);
        deciding.emit(new EventBody.TimerSet(name, generation, due, EventBody.TimerPurpose.WAIT, Optional.of(id)));
        if (!due.isAfter(deciding.now())) {
            deciding.emit(new EventBody.TimerFired(name, generation));
        }
    }

    /** A number counts milliseconds; a text is an ISO 8601 duration of days and smaller units. */
    static Optional<Duration> duration(JsonValue value) {
        try {
            return switch (value) {
                case JsonNumber millis -> {
                    long micros = millis.decimalValue()
                            .multiply(MICROS_PER_MILLI)
                            .setScale(0, RoundingMode.HALF_EVEN)
                            .longValueExact();
                    yield Optional.of(
                            Duration.ofSeconds(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000));
                }
                case JsonString text -> DueTimes.duration(text.value());
                default -> Optional.empty();
            };
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    static TaskError invalid(JsonValue value) {
        String shown = switch (value) {
            case JsonString text -> "'" + Answers.text(text.value(), 60) + "'";
            case JsonNumber number -> Answers.text(number.toString(), 60);
            default -> "a value of another type";
        };
        return TaskError.of(
                "INVALID_DURATION",
                "a wait is a number of milliseconds or an ISO 8601 duration that ends before the year 10000, not "
                        + shown);
    }
}
