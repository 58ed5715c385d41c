package dev.flowstone.server.timeline;

import java.time.Duration;
import java.util.Locale;

/** Durations as people read them. */
public final class Durations {
    private Durations() {}

    /** {@code 7 ms}, {@code 1.204 s}, {@code 2 m 3 s}, {@code 5 h 12 m}, {@code 3 d 4 h}. */
    public static String text(Duration duration) {
        if (duration.toMillis() < 1_000) {
            return duration.toMillis() + " ms";
        }
        if (duration.toMinutes() < 1) {
            return String.format(Locale.ROOT, "%.3f s", duration.toMillis() / 1_000.0);
        }
        if (duration.toHours() < 1) {
            return duration.toMinutes() + " m " + duration.toSecondsPart() + " s";
        }
        return duration.toDays() < 1
                ? duration.toHours() + " h " + duration.toMinutesPart() + " m"
                : duration.toDays() + " d " + duration.toHoursPart() + " h";
    }
}
