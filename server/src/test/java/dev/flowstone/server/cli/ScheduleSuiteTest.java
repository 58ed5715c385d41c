package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.schedule.CronSuite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rows of {@code shared/suites/cron}, which nobody here wrote (Cronos, MIT), by {@code schedule -} in a process of its own. */
final class ScheduleSuiteTest {
    @Test
    void findsTheNextTimeOfEveryRow() throws Exception {
        List<String[]> rows = CronSuite.rows("next", 527);

        List<String> answers = answers(rows, row -> row(row[0], row[1], row[2], row[4]));

        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            String expected = "{\"next\":\"" + CronSuite.time(rows.get(i)[3], rows.get(i)[1]) + "\"}";
            if (!answers.get(i).equals(expected)) {
                wrong.add(String.join(" | ", rows.get(i)) + " gives " + answers.get(i));
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void saysNeverOfEveryRowThatHasNoNextTime() throws Exception {
        List<String[]> rows = CronSuite.rows("never", 40);

        List<String> answers = answers(rows, row -> row(row[0], row[1], row[2], "true"));

        assertEquals(List.of("{\"never\":true}"), answers.stream().distinct().toList());
    }

    @Test
    void refusesEveryInvalidRowAndAnswersTheNextOne() throws Exception {
        List<String[]> rows = CronSuite.rows("invalid", 148);

        List<String> answers = answers(rows, row -> row(row[0], "UTC", "2026-01-01", "true", row[1]));

        answers.forEach(answer -> assertTrue(answer.startsWith("{\"error\":{\"field\":\""), answer));
    }

    private static String row(String... columns) {
        return String.join("\t", columns);
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
}
