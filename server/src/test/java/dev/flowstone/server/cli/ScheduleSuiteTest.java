package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The rows of {@code shared/suites/cron}, which nobody here wrote (Cronos, MIT), by {@code schedule -} in a process of its own. */
final class ScheduleSuiteTest {
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

    @Test
    void findsTheNextTimeOfEveryRow() throws Exception {
        List<String[]> rows = rows("next", 527);

        List<String> answers = answers(rows, row -> row(row[0], row[1], row[2], row[4]));

        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            String expected = "{\"next\":\"" + time(rows.get(i)[3], rows.get(i)[1]) + "\"}";
            if (!answers.get(i).equals(expected)) {
                wrong.add(String.join(" | ", rows.get(i)) + " gives " + answers.get(i));
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void saysNeverOfEveryRowThatHasNoNextTime() throws Exception {
        List<String[]> rows = rows("never", 40);

        List<String> answers = answers(rows, row -> row(row[0], row[1], row[2], "true"));

        assertEquals(List.of("{\"never\":true}"), answers.stream().distinct().toList());
    }

    @Test
    void refusesEveryInvalidRowAndAnswersTheNextOne() throws Exception {
        List<String[]> rows = rows("invalid", 148);

        List<String> answers = answers(rows, row -> row(row[0], "UTC", "2026-01-01", "true", row[1]));

        answers.forEach(answer -> assertTrue(answer.startsWith("{\"error\":{\"field\":\""), answer));
    }

    private static String row(String... columns) {
        return String.join("\t", columns);
    }

    private static Instant time(String text, String zone) {
        TemporalAccessor time = TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return time instanceof OffsetDateTime offset
                ? offset.toInstant()
                : ((LocalDateTime) time).atZone(ZoneId.of(zone)).toInstant();
    }

    /** One answer for each row, in their order. */
    private static List<String> answers(List<String[]> rows, Question asked) throws Exception {
        StringBuilder lines = new StringBuilder();
        rows.forEach(row -> lines.append(asked.line(row)).append('\n'));

        Cli.Said said = Cli.piped(lines.toString(), "schedule", "-");

        assertEquals(0, said.exit(), said::err);
        List<String> answers = said.out().lines().toList();
        assertEquals(rows.size(), answers.size(), "one answer a line");
        return answers;
    }

    /** The line that asks for a row. */
    @FunctionalInterface
    private interface Question {
        String line(String[] row);
    }

    /** Where the suite is absent the test is skipped, visibly; in CI it fails. */
    private static List<String[]> rows(String file, int count) throws IOException {
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
