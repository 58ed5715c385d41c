package dev.flowstone.testkit.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.flowstone.engine.time.DatabaseTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DatabaseTimeTest {
    private final VirtualClock clock = VirtualClock.start();
    private final DatabaseTime time = new DatabaseTime(clock);

    @Test
    void followsWhatTheDatabaseSaid() {
        Instant ahead = clock.now().plusSeconds(7);
        time.correct(ahead);

        assertEquals(ahead, time.now());
        clock.advance(Duration.ofSeconds(1));
        assertEquals(ahead.plusSeconds(1), time.now());
        assertEquals(clock.now(), time.local(time.now()));
    }

    @Test
    void doesNotGoBackWithTheMachinesClock() {
        Instant before = time.now();
        clock.set(clock.now().minusSeconds(3_600));
        assertFalse(time.now().isBefore(before));
    }

    @Test
    void goesBackToWhatTheDatabaseSays() {
        Instant right = clock.now();
        clock.advance(Duration.ofDays(1));
        assertEquals(right.plus(Duration.ofDays(1)), time.now());

        time.correct(right);
        clock.advance(Duration.ofSeconds(1));

        assertEquals(right.plusSeconds(1), time.now());
    }

    @Test
    void knowsMicrosecondsOnly() {
        clock.set(Instant.parse("2026-01-01T00:00:00.123456789Z"));
        assertEquals(Instant.parse("2026-01-01T00:00:00.123456Z"), time.now());
    }
}
