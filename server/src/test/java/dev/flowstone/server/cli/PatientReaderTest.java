package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PatientReaderTest {
    private static final ServerCall CALL = ServerCall.of("GET", "/executions");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final StringWriter told = new StringWriter();
    private final Clock clock = new Clock();
    private Duration each = Duration.ZERO;
    private ServerAnswer answer = new ServerAnswer.Done(JsonObject.EMPTY);
    private int calls;

    private final PatientReader reader = new PatientReader(
            _ -> {
                calls++;
                clock.pass(each);
                return answer;
            },
            new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(told, true), false),
            clock);

    private static final class Clock implements PatientReader.Time {
        /** Near the end of its numbers, as the machine's may be. */
        private long nanos = Long.MAX_VALUE - 1_000;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void pass(Duration pause) {
            nanos += pause.toNanos();
        }
    }

    private Duration readingAfterAnAnswer() throws InterruptedException {
        answer = new ServerAnswer.Done(JsonObject.EMPTY);
        assertInstanceOf(ServerAnswer.Done.class, reader.read(CALL));
        answer = new ServerAnswer.Silent("nobody there");
        calls = 0;
        long begun = clock.nanos();
        assertInstanceOf(ServerAnswer.Silent.class, reader.read(CALL));
        return Duration.ofNanos(clock.nanos() - begun);
    }

    @Test
    void asksForThreeMinutesHoweverLongAnAttemptTakes() throws Exception {
        Duration quick = readingAfterAnAnswer();
        assertTrue(quick.compareTo(PATIENCE) <= 0 && calls > 15, () -> quick + " in " + calls);

        each = Duration.ofSeconds(60);
        Duration hanging = readingAfterAnAnswer();
        assertTrue(hanging.compareTo(PATIENCE.plus(each)) <= 0, hanging::toString);
        assertTrue(hanging.compareTo(Duration.ofMinutes(2)) > 0, hanging::toString);
        assertTrue(told.toString().contains("lost the server: nobody there; asking again in 0.5 s"), told::toString);
    }

    @Test
    void whoHasNeverAnsweredIsAskedOnce() throws Exception {
        answer = new ServerAnswer.Silent("nobody there");

        assertInstanceOf(ServerAnswer.Silent.class, reader.read(CALL));

        assertEquals(1, calls);
        assertEquals("", told.toString());
    }
}
