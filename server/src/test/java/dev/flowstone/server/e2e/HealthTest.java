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
import java.util.regex.Pattern;
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
        LocalDate missing = LocalDate.now(ZoneOffset.UTC).withDayOfMonth(1).plusMonths(1);
        try (House house = House.open(data)) {
            PostgresConfig config =
                    EmbeddedPostgres.running(EmbeddedConfig.in(data)).orElseThrow();
            try (Connection superuser = DriverManager.getConnection(
                            config.url(), config.admin().user(), config.admin().password());
                    Statement statement = superuser.createStatement()) {
                statement.execute("DROP TABLE flowstone.entries_%1$tY_%1$tm".formatted(missing));
            }
            // On the first day of a month of 31 days there are thirty ahead, which is enough.
            String told =
                    Pattern.quote("\"until " + missing + "T00:00:00Z\",\"item\":\"partitionsAheadDays\",\"limit\":30,")
                            + "(\"status\":\"(warn|fail)\"|\"status\":\"ok\",\"value\":30\\b)";
            Pattern item = Pattern.compile(told);
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!item.matcher(house.vitals().text()).find()) {
                assertTrue(System.nanoTime() < end, house.vitals()::text);
            }
            assertEquals("ready", house.health().expect(200).text("status"), "it can serve all the same");
        }
    }
}
