package dev.flowstone.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.schedule.CronSchedules;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many schedules on standard input. */
final class ScheduleLinesTest {
    @Test
    void answersEachLineInOrderAndGoesOnAfterABadOne() {
        assertEquals(
                List.of(
                        "{\"next\":\"2026-03-08T07:00:00Z\"}",
                        "{\"error\":{\"field\":\"hour\",\"message\":\"24 is out of range as a value; allowed: 0 to 23\"}}",
                        "{\"never\":true}",
                        "{\"next\":\"2016-12-09T22:35:20Z\"}"),
                answers("""
                        30 2 * * *\tAmerica/New_York\t2026-03-08 01:59 -05:00\ttrue
                        0 24 * * *\tUTC\t2026-01-01\ttrue
                        * * 30 2 *\tUTC\t1970-01-01
                        20    * * * * *\tAmerica/New_York\t2016-12-09 17:35:00\ttrue\tseconds
                        """));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                             | expression",
                "0 9 * * *                      | line",
                "0 9 * * *;UTC                  | line",
                "0 9 * * *;UTC;2026-01-01;true;standard;x | line",
                "0 9 * * *;Mars;2026-01-01;true | zone",
                "0 9 * * *;UTC;2026-02-30;true  | from",
                "0 9 * * *;UTC;;true            | from",
                "0 9 * * *;UTC;+10000-01-01T00:00Z;true | from",
                "0 9 * * *;UTC;2026-01-01;maybe | inclusive",
                "0 9 * * *;UTC;2026-01-01;true;quartz | format",
                "0 9 * * *;UTC;2026-01-01;true;seconds | expression",
                "* * * * * 8;UTC;2026-01-01;true;seconds | day-of-week",
            })
    void namesTheColumnThatIsWrong(String line, String field) {
        List<String> answers = answers(line.replace(';', '\t') + "\n@daily\tUTC\t2026-01-01\ttrue\r\n");

        assertEquals(2, answers.size());
        assertTrue(answers.getFirst().startsWith("{\"error\":{\"field\":\"" + field + "\","), answers::getFirst);
        assertEquals("{\"next\":\"2026-01-01T00:00:00Z\"}", answers.getLast());
    }

    @Test
    void timesInAGapOrAnOverlapHaveOneMeaning() {
        assertEquals(
                List.of("{\"next\":\"2026-03-08T07:00:00Z\"}", "{\"next\":\"2026-11-01T05:30:00Z\"}"), answers("""
                        30 2 * * *\tAmerica/New_York\t2026-03-08T02:45\tfalse
                        30 1 * * *\tAmerica/New_York\t2026-11-01T01:30\ttrue"""));
    }

    @Test
    void aLineWithoutEndIsAnErrorAndTakesNoMemory() {
        Reader endless = new Reader() {
            private long left = 1L << 26;

            @Override
            public int read(char[] into, int from, int length) {
                int count = (int) Math.min(left, length);
                Arrays.fill(into, from, from + count, '*');
                left -= count;
                return count == 0 ? -1 : count;
            }

            @Override
            public void close() {}
        };

        assertEquals(
                List.of("{\"error\":{\"field\":\"line\",\"message\":\"more than 4000 characters\"}}"),
                answers(endless));
    }

    @Test
    void bytesThatAreNoTextAreAnError() {
        byte[] bytes = {'*', ' ', (byte) 0xC3, 0x28, 0, 0x1B, '[', '\n', '@', 'x', '\n'};

        List<String> answers = answers(new InputStreamReader(new ByteArrayInputStream(bytes), UTF_8));

        assertEquals(2, answers.size());
        answers.forEach(answer -> assertTrue(answer.startsWith("{\"error\":"), answer));
    }

    @Test
    void aLineIsAnsweredBeforeTheNextOneIsWritten() throws Exception {
        try (PipedReader asked = new PipedReader();
                PipedReader answered = new PipedReader();
                PipedWriter answering = new PipedWriter(answered)) {
            Thread thread;
            try (PipedWriter asking = new PipedWriter(asked)) {
                thread = Thread.ofVirtual().start(() -> answer(asked, new PrintWriter(answering)));
                BoundedLines answers = new BoundedLines(answered, 1_000);
                for (int day = 1; day <= 3; day++) {
                    asking.write("@daily\tUTC\t2026-01-0" + day + "\tfalse\n");
                    asking.flush();

                    assertTrue(answers.next());
                    assertEquals("{\"next\":\"2026-01-0" + (day + 1) + "T00:00:00Z\"}", answers.line());
                }
            }
            thread.join();
        }
    }

    private static List<String> answers(String lines) {
        return answers(new StringReader(lines));
    }

    private static List<String> answers(Reader lines) {
        StringWriter out = new StringWriter();
        answer(lines, new PrintWriter(out));
        return out.toString().lines().toList();
    }

    private static void answer(Reader lines, PrintWriter out) {
        try {
            new ScheduleLines(new CronSchedules()).answer(lines, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
