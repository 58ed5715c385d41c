package dev.flowstone.server.log;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One JSON object a line, whatever stands in the message: nobody can write a second line into the log. */
public final class JsonLines extends Formatter {
    @Override
    public String format(LogRecord record) {
        JsonObject.Builder line = JsonObject.builder()
                .put("time", Instant.ofEpochMilli(record.getMillis()).toString())
                .put("level", record.getLevel().getName())
                .put("logger", String.valueOf(record.getLoggerName()))
                .put("thread", Thread.currentThread().getName())
                .put("message", storable(formatMessage(record)));
        for (Map.Entry<String, String> field : LogFields.current().entrySet()) {
            line.put(field.getKey(), storable(field.getValue()));
        }
        Throwable thrown = record.getThrown();
        if (thrown != null) {
            line.put("error", error(thrown));
        }
        return new String(CanonicalJson.exact(line.build()), StandardCharsets.UTF_8) + "\n";
    }

    private static JsonObject error(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return JsonObject.builder()
                .put("type", thrown.getClass().getName())
                .put("message", storable(String.valueOf(thrown.getMessage())))
                .put("stack", storable(trace.toString()))
                .build();
    }

    /** Half a character can't be written as UTF-8. */
    private static String storable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
