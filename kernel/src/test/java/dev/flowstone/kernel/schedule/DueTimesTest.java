package dev.flowstone.kernel.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case 20: what people write, up to the ends of time. */
final class DueTimesTest {
    private static final Instant NOW = Instant.parse("2026-11-27T23:05:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-11-27T23:05:00Z, 2026-11-27T23:05:00Z",
        "2026-11-27T23:05+02:00, 2026-11-27T21:05:00Z",
        "2026-11-27T23:05:00.123456789Z, 2026-11-27T23:05:00.123456Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999Z"
    })
    void readsInstantsWithAnOffset(String text, Instant expected) {
        assertEquals(Optional.of(expected), DueTimes.instant(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tomorrow",
                "2026-11-27",
                "2026-11-27T23:05:00",
                "2026-02-30T00:00:00Z",
                "9999-12-31T23:59:59-01:00",
                "9999-12-31T23:59:59.9999999Z",
                "+10000-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59-18:00",
                "-0001-01-01T00:00:00Z"
            })
    void refusesWhatIsNoInstantOrCannotBeStored(String text) {
        assertTrue(DueTimes.instant(text).isEmpty());
    }

    @Test
    void readsDurationsOfDaysAndSmallerUnits() {
        assertEquals(Optional.of(Duration.ofDays(3)), DueTimes.duration("PT72H"));
        assertEquals(Optional.of(Duration.ofDays(2).plusMinutes(30)), DueTimes.duration("P2DT30M"));
        assertEquals(Optional.of(Duration.ofSeconds(-1)), DueTimes.duration("-PT1S"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P1M", "P1Y", "PT", "1h", "PT9223372036854775808S", "P106751991167301D"})
    void refusesDurationsThatHaveNoLengthOrOverflow(String text) {
        assertTrue(DueTimes.duration(text).isEmpty());
    }

    @Test
    void aDueTimeBeyondTheYear9999IsNone() {
        assertTrue(DueTimes.after(NOW, Duration.ofDays(3_000_000)).isEmpty());
        assertTrue(DueTimes.after(NOW, Duration.ofSeconds(Long.MAX_VALUE)).isEmpty());
    }

    @Test
    void aDueTimeFarInThePastIsOne() {
        assertEquals(
                Optional.of(Instant.parse("0000-01-01T00:00:00Z")), DueTimes.after(NOW, Duration.ofDays(-3_000_000)));
        assertEquals(Optional.of(NOW), DueTimes.after(NOW, Duration.ofSeconds(Long.MIN_VALUE)));
    }
}
