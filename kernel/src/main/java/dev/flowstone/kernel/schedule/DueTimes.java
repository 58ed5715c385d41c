package dev.flowstone.kernel.schedule;

import dev.flowstone.kernel.event.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Due times as people write them. Nothing overflows: what no event could hold, because it lies beyond the year 9999, is empty. */
public final class DueTimes {
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    private DueTimes() {}

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
