package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code Retry-After} in its forms, and in others. */
final class RetryAfterTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:00Z");
    private static final Duration LONGEST = Duration.ofHours(1);

    private static Optional<Duration> read(String value) {
        return RetryAfter.read(value, NOW, LONGEST);
    }

    @Test
    void readsSeconds() {
        assertEquals(Optional.of(Duration.ZERO), read("0"));
        assertEquals(Optional.of(Duration.ofMinutes(2)), read("120"));
        assertEquals(Optional.of(Duration.ofSeconds(7)), read(" 007 "));
    }

    @Test
    void readsDates() {
        assertEquals(Optional.of(Duration.ofSeconds(37)), read("Sun, 06 Nov 1994 08:49:37 GMT"));
        assertEquals(Optional.of(Duration.ZERO), read("Sun, 06 Nov 1994 08:48:00 GMT"));
    }

    @Test
    void isBounded() {
        assertEquals(Optional.of(LONGEST), read("3601"));
        assertEquals(Optional.of(LONGEST), read("999999999"));
        assertEquals(Optional.of(LONGEST), read("99999999999999999999999999"));
        assertEquals(Optional.of(LONGEST), read("Sat, 06 Nov 2094 08:49:37 GMT"));
    }

    @Test
    void whateverElseSaysNothing() {
        for (String value : new String[] {
            "",
            " ",
            "-1",
            "+1",
            "1.5",
            "1e3",
            "soon",
            "PT1S",
            "1 2",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z",
            "\u0661"
        }) {
            assertEquals(Optional.empty(), read(value), value);
        }
    }
}
