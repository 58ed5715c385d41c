package dev.flowstone.kernel.schedule;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Due times as people write them. Nothing overflows: what no event could hold, because it lies beyond the year 9999, is empty. */
public final class DueTimes {
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    private static final BigDecimal MICROS_PER_MILLI = BigDecimal.valueOf(1_000);
    private static final long MICROS = 1_000_000;

    private DueTimes() {}

    /** Of a rendered template: a number counts milliseconds; a text is read as {@link #duration(String)} does. */
    public static Optional<Duration> duration(JsonValue value) {
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
                case JsonString text -> duration(text.value());
                default -> Optional.empty();
            };
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Of a rendered template: a text as {@link #instant(String)} reads it. */
    public static Optional<Instant> instant(JsonValue value) {
        return value instanceof JsonString(String text) ? instant(text) : Optional.empty();
    }

    /** An ISO 8601 duration of days and smaller units, such as {@code P2DT30M} or {@code PT0.5S}; years and months have no fixed length. */
    public static Optional<Duration> duration(String text) {
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** An ISO 8601 instant with {@code Z} or an offset, such as {@code 2026-11-27T23:05Z}, of the years 0000 to 9999, to the microsecond. */
    public static Optional<Instant> instant(String text) {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            return time.isBefore(FIRST) || time.isAfter(Times.LAST)
                    ? Optional.empty()
                    : Optional.of(Times.storable(time));
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** The instant after that duration. A negative duration leads into the past, at most to the year 0000, or to {@code from}. */
    public static Optional<Instant> after(Instant from, Duration duration) {
        try {
            Instant due = from.plus(duration);
            return due.isAfter(Times.LAST) ? Optional.empty() : Optional.of(Times.storable(due));
        } catch (DateTimeException | ArithmeticException e) {
            return duration.isNegative() ? Optional.of(from) : Optional.empty();
        }
    }
}
