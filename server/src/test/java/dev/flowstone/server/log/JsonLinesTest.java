package dev.flowstone.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** A line of the log is one JSON object, whatever was logged, and says whose work it is about. */
final class JsonLinesTest {
    private static final RunKey RUN =
            new RunKey(new TenantId("acme"), RunId.of(Instant.parse("2026-11-28T12:00:00Z"), new Slot(3), 5));

    private final JsonLines lines = new JsonLines();

    private JsonObject line(LogRecord record) throws JsonSyntaxException {
        String text = lines.format(record);
        assertEquals(text.length() - 1, text.indexOf('\n'), "one line");
        return (JsonObject) JsonParser.parse(text.strip().getBytes(StandardCharsets.UTF_8));
    }

    private static LogRecord record(String message) {
        LogRecord record = new LogRecord(Level.WARNING, message);
        record.setLoggerName("dev.flowstone.some.Place");
        return record;
    }

    private static JsonString text(String value) {
        return new JsonString(value);
    }

    @Test
    void saysWhoseWorkTheLineIsAbout() throws Exception {
        JsonObject line =
                ScopedValue.where(LogContext.CURRENT, LogContext.about(RUN)).call(() -> line(record("it waits")));

        assertEquals(text("acme"), line.get("tenant"));
        assertEquals(text(RUN.run().toString()), line.get("run"));
        assertEquals(text("it waits"), line.get("message"));
        assertEquals(text("WARNING"), line.get("level"));
        assertEquals(text("dev.flowstone.some.Place"), line.get("logger"));
        assertTrue(Instant.parse(((JsonString) line.find("time").orElseThrow()).value())
                .isAfter(Instant.EPOCH));
    }

    @Test
    void nobodyCanWriteASecondLine() throws Exception {
        String forged = "no\n{\"level\":\"SEVERE\",\"message\":\"forged\"}\r\u2028\u0000 \ud800";

        JsonObject line = line(record(forged));

        assertEquals(text(forged.replace('\ud800', '?')), line.get("message"));
    }

    @Test
    void anErrorHasItsTypeAndItsStack() throws Exception {
        LogRecord record = record("it failed");
        record.setThrown(new IllegalStateException("what\nhappened"));

        JsonObject error = (JsonObject) line(record).find("error").orElseThrow();

        assertEquals(text("java.lang.IllegalStateException"), error.get("type"));
        assertEquals(text("what\nhappened"), error.get("message"));
        assertTrue(((JsonString) error.find("stack").orElseThrow()).value().contains("JsonLinesTest"));
    }

    @Test
    void textNamesTheRunBehindTheMessage() {
        String line = ScopedValue.where(LogContext.CURRENT, LogContext.about(RUN))
                .call(() -> new TextLines().format(record("it waits")));

        assertTrue(line.endsWith("Place: it waits {tenant=acme, run=" + RUN.run() + "}\n"), line);
    }
}
