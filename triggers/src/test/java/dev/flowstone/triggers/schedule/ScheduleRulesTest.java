package dev.flowstone.triggers.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A schedule's configuration: read as it was written, and refused where it means nothing. */
final class ScheduleRulesTest {
    @Test
    void whatIsWrittenIsReadAgain() {
        for (MissedFire missed : MissedFire.values()) {
            ScheduleRules rules =
                    new ScheduleRules(ScheduleRules.schedule("0 9 * * MON-FRI"), ZoneId.of("Europe/Berlin"), missed, 7);

            JsonObject json = rules.toJson();

            ScheduleRules read = ScheduleRules.of(json);
            assertEquals(json, read.toJson());
            assertEquals(missed, read.missed());
            assertEquals(missed == MissedFire.ALL ? 7 : ScheduleRules.USUAL_MISSED, read.maxMissed());
            assertEquals("0 9 * * MON-FRI", read.schedule().expression());
        }
    }

    @Test
    void anExecutionIsToldItsTick() {
        ScheduleRules rules = new ScheduleRules(ScheduleRules.schedule("@daily"), ZoneId.of("UTC"), MissedFire.SKIP, 1);
        assertEquals(
                "{\"scheduledAt\":\"2026-12-01T00:00:00Z\",\"timeZone\":\"UTC\"}",
                CanonicalJson.exactText(rules.payload(Instant.parse("2026-12-01T00:00:00Z"))));
    }

    @Test
    void whatNeverFiresOrMeansNothingIsRefused() {
        for (String never : List.of("0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 0 30 2 ?")) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> ScheduleRules.schedule(never));
            assertTrue(String.valueOf(refused.getMessage()).contains("never fires"), never);
        }
        for (String bad : List.of("", "* * * *", "60 * * * *", "* * * * * * *", "@often")) {
            assertThrows(IllegalArgumentException.class, () -> ScheduleRules.schedule(bad), bad);
        }
        for (String nowhere : List.of("", "Europe/Atlantis", "+25:00", "../UTC")) {
            assertThrows(IllegalArgumentException.class, () -> ScheduleRules.zone(nowhere), nowhere);
        }
    }
}
