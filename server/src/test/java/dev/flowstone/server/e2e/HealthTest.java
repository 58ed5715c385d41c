package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void tellsOfEverythingWhatItIsAndWhatItShouldBe(House house) throws Exception {
        House.Answer health = house.vitals().expect(200);

        assertTrue(Set.of("ok", "warn").contains(health.text("status")), health.text());
        for (String item : List.of(
                "ready",
                "database",
                "outboxPending",
                "outboxOldestSeconds",
                "deadLetters",
                "inboxOldestSeconds",
                "stuckRuns",
                "shardsWithoutOwner",
                "ownLeaseSeconds",
                "partitionsAheadDays",
                "oldestTransactionSeconds",
                "deadRows",
                "brokenSubscriptions",
                "clockOffsetSeconds",
                "freeConnections",
                "freeDiskMegabytes")) {
            assertTrue(health.text().contains("\"item\":\"" + item + "\""), () -> item + " in " + health.text());
        }
    }

    /** Case 30: a month that isn't there is told, long before anybody is born in it. */
    @Test
    void aMonthThatIsMissingIsTold(@TempDir Path data) throws Exception {
        try (House house = House.open(data)) {
            PostgresConfig config =
                    EmbeddedPostgres.running(EmbeddedConfig.in(data)).orElseThrow();
            try (Connection superuser = DriverManager.getConnection(
                            config.url(), config.admin().user(), config.admin().password());
                    Statement statement = superuser.createStatement()) {
                statement.execute("DROP TABLE flowstone.entries_%1$tY_%1$tm"
                        .formatted(LocalDate.now(ZoneOffset.UTC).plusMonths(1)));
            }
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!house.vitals()
                    .text()
                    .matches("(?s).*partitionsAheadDays\",\"limit\":30,\"status\":\"(warn|fail)\".*")) {
                assertTrue(System.nanoTime() < end, house.vitals()::text);
            }
            assertEquals("ready", house.health().expect(200).text("status"), "it can serve all the same");
        }
    }
}
