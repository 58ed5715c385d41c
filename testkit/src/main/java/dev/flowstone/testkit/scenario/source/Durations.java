package dev.flowstone.testkit.scenario.source;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as files write them. */
public final class Durations {
    /** No instant of a scenario is as late. */
    public static final Instant END_OF_TIME = Instant.parse("+10000-01-01T00:00:00Z");

    private static final Duration LONGEST = Duration.ofDays(3_652_425);
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    private Durations() {}

    /** ISO 8601, or a number with ms, s, m, h or d; empty if it is neither, negative, or beyond ten thousand years. */
    public static Optional<Duration> parse(String text) {
        try {
            Matcher matcher = SHORT.matcher(text);
            Duration duration =
                    matcher.matches() ? of(Long.parseLong(matcher.group(1)), matcher.group(2)) : Duration.parse(text);
            return duration.isNegative() || duration.compareTo(LONGEST) > 0 ? Optional.empty() : Optional.of(duration);
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
