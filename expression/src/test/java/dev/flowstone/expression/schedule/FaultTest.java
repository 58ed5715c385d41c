package dev.flowstone.expression.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.schedule.ScheduleField;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and what its author reads. */
final class FaultTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "60 * * * *           | minute: 60 is out of range as a value; allowed: 0 to 59",
                "* 24 * * *           | hour: 24 is out of range as a value; allowed: 0 to 23",
                "* * 0 * *            | day-of-month: 0 is out of range as a value; allowed: 1 to 31",
                "* * L-31 * *         | day-of-month: 31 is out of range as a number of days before the last; allowed: 0 to 30",
                "* * * * 5#6          | day-of-week: 6 is out of range as which one in the month; allowed: 1 to 5",
                "*/0 * * * *          | minute: 0 is out of range as a step; allowed: 1 to 59",
                "0 0 1 1              | expression: it has 4 fields; allowed: 5 fields (minute hour day-of-month month"
                        + " day-of-week), or 6 fields (second minute hour day-of-month month day-of-week), or a macro such as @daily",
            })
    void aFaultNamesFieldProblemAndWhatIsRight(String expression, String message) {
        assertEquals(message, Crons.fault(expression, ScheduleFormat.EITHER).message());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "5#3 * * * *     | MINUTE       | '#3' can't stand after '5'",
                "* 1, * * *      | HOUR         | '1,' ends where a value is missing",
                "* * 1,2W * *    | DAY_OF_MONTH | 'W' can't stand after '1,2'",
                "* * * JANUARY * | MONTH        | 'UARY' can't stand after 'JAN'",
                "* * * FEV *     | MONTH        | 'FEV' is not a value",
                "* * * * L       | DAY_OF_WEEK  | 'L' is not a value",
                "* * * * 001     | DAY_OF_WEEK  | 001 is out of range as a value",
                "@dayly          | EXPRESSION   | there is no macro '@dayly'",
            })
    void theProblemIsQuotedWhereItStands(String expression, ScheduleField field, String problem) {
        assertEquals(field, Crons.fault(expression, ScheduleFormat.EITHER).field());
        assertEquals(problem, Crons.fault(expression, ScheduleFormat.EITHER).problem());
    }

    @Test
    void aFormatIsKept() {
        assertEquals(
                ScheduleField.EXPRESSION,
                Crons.fault("* * * * * *", ScheduleFormat.STANDARD).field());
        assertEquals(
                ScheduleField.EXPRESSION,
                Crons.fault("* * * * *", ScheduleFormat.SECONDS).field());
        assertEquals(
                "it has 0 fields", Crons.fault(" \t", ScheduleFormat.EITHER).problem());
    }

    @Test
    void blanksAroundAndBetweenFieldsMeanNothing() {
        Instant from = Instant.parse("2026-11-27T23:05:00Z");

        assertEquals(
                Crons.cron("5 4 * * *").next(ZoneOffset.UTC, from, false),
                Crons.cron("\t5   4 * * * ").next(ZoneOffset.UTC, from, false));
        assertEquals(
                Crons.cron("0 0 * * *").next(ZoneOffset.UTC, from, false),
                Crons.cron(" @Daily\t").next(ZoneOffset.UTC, from, false));
    }

    @Test
    void aLongTextIsRefusedWithAShortMessage() {
        String digits = "1".repeat(900);

        assertTrue(Crons.fault(digits + " * * * *", ScheduleFormat.EITHER)
                        .message()
                        .length()
                < 200);
        assertTrue(Crons.fault("x".repeat(900) + " * * * *", ScheduleFormat.EITHER)
                        .message()
                        .length()
                < 300);
        assertTrue(Crons.fault("@" + "x".repeat(9_000_000), ScheduleFormat.EITHER)
                        .message()
                        .length()
                < 200);
        assertTrue(
                Crons.fault("* ".repeat(499), ScheduleFormat.EITHER).message().length() < 300);
    }

    @Test
    void noTextMakesTheReaderThrow() {
        Random random = new Random(17);
        String alphabet = "0123456789*?/-,#LWlw@ \tMONJANxé\u0000\ud83d";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(24); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            switch (new CronSchedules().read(text.toString(), ScheduleFormat.EITHER)) {
                case Schedules.Parsed parsed ->
                    assertEquals(text.toString(), parsed.schedule().expression());
                case Schedules.Refused refused ->
                    assertFalse(refused.fault().message().isBlank());
            }
        }
    }
}
