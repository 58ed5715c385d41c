package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Durations and instants that are known beforehand; templates are judged when they are rendered. */
final class Times {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Faults faults;

    Times(Faults faults) {
        this.faults = faults;
    }

    /** A step's, a compensation's. */
    void step(At step) {
        fixed(step, "timeout");
        step.object("retry").ifPresent(retry -> {
            fixed(retry, "delay");
            fixed(retry, "most");
        });
    }

    /** One that may be a template. */
    void any(At at, String name) {
        if (at.text(name).map(text -> !text.contains("{{")).orElse(false)) {
            fixed(at, name);
        }
    }

    void fixed(At at, String name) {
        at.text(name).ifPresent(text -> {
            try {
                Duration duration = Duration.parse(text);
                if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
                    bad(at.pointer(name), Quoted.text(text) + " is negative, or longer than a hundred years");
                }
            } catch (DateTimeParseException | ArithmeticException e) {
                bad(
                        at.pointer(name),
                        Quoted.text(text) + " isn't an ISO 8601 duration of days, hours, minutes, seconds");
            }
        });
    }

    void instant(At at, String name) {
        at.text(name).filter(text -> !text.contains("{{")).ifPresent(text -> {
            try {
                OffsetDateTime.parse(text);
            } catch (DateTimeParseException e) {
                bad(at.pointer(name), Quoted.text(text) + " isn't a date and time with an offset");
            }
        });
    }

    private void bad(String pointer, String message) {
        faults.add(
                StatesFault.BAD_TIME,
                pointer,
                message,
                "write \"PT5M\", \"P2D\", or \"2027-01-31T09:00:00+01:00\" for an instant");
    }
}
