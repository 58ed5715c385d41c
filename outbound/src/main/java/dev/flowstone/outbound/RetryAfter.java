package dev.flowstone.outbound;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or a date as HTTP writes it now ({@code Sun, 06 Nov 1994 08:49:37 GMT}). The two
 * obsolete forms of dates, and whatever else, say nothing.
 */
final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("[0-9]+");

    /** Beyond any pause, and within a long. */
    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /** From no pause, for a date in the past, up to the longest. */
    static Optional<Duration> read(String value, Instant now, Duration longest) {
        String text = value.strip();
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(
                    text.length() > MOST_DIGITS ? longest : bounded(Duration.ofSeconds(Long.parseLong(text)), longest));
        }
        try {
            Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            return Optional.of(bounded(Duration.between(now, date), longest));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration pause, Duration longest) {
        if (pause.isNegative()) {
            return Duration.ZERO;
        }
        return pause.compareTo(longest) > 0 ? longest : pause;
    }
}
