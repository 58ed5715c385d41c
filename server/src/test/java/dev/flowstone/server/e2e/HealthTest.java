package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The month never rolls over with no partition ready: they are made two ahead, and health tells how far. */
@ExtendWith(SharedHouse.class)
final class HealthTest {
    @Test
    void tellsHowFarPartitionsAreMadeAhead(House house) throws Exception {
        House.Answer health = house.health().expect(200);

        assertEquals("ready", health.text("status"));
        assertEquals("ok", health.text("partitions"));
        Instant until = Instant.parse(health.text("partitionsUntil"));
        assertTrue(until.isAfter(Instant.now().plus(Duration.ofDays(58))), health.text());
    }
}
