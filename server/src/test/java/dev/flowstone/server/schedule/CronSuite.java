package dev.flowstone.server.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.flowstone.testkit.suite.SharedSuites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The rows of {@code shared/suites/cron}, which nobody here wrote (Cronos, MIT). */
public final class CronSuite {
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd[ HH:mm[:ss]]")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .optionalStart()
            .appendLiteral(' ')
            .appendOffset("+HH:MM", "Z")
            .optionalEnd()
            .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
            .toFormatter();

    private CronSuite() {}

    /** As the suite writes it, local to the zone if it has no offset. */
    public static Instant time(String text, String zone) {
        TemporalAccessor time = TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return time instanceof OffsetDateTime offset
                ? offset.toInstant()
                : ((LocalDateTime) time).atZone(ZoneId.of(zone)).toInstant();
    }

    /** Where the suite is absent the test is skipped, visibly; in CI it fails. */
    public static List<String[]> rows(String file, int count) throws IOException {
        Optional<Path> suite = SharedSuites.suite("cron");
        if (suite.isEmpty() && "true".equals(System.getenv("CI"))) {
            fail("no ../shared/suites/cron in CI; set flowstone.shared");
        }
        Assumptions.assumeTrue(suite.isPresent(), "no ../shared/suites/cron; set flowstone.shared");
        List<String> lines = Files.readAllLines(suite.orElseThrow().resolve(file + ".tsv"));
        List<String[]> rows =
                lines.stream().skip(1).map(line -> line.split("\t", -1)).toList();
        assertEquals(count, rows.size(), "the suite has grown or shrunk");
        return rows;
    }
}
