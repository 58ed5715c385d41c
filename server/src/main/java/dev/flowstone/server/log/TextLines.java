package dev.flowstone.server.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** One line a record, for people; behind it, in brackets, what it is about. */
public final class TextLines extends Formatter {
    @Override
    public String format(LogRecord record) {
        String name = String.valueOf(record.getLoggerName());
        String line = Instant.ofEpochMilli(record.getMillis()) + " " + record.getLevel() + " "
                + name.substring(name.lastIndexOf('.') + 1) + ": " + formatMessage(record) + about() + "\n";
        Throwable thrown = record.getThrown();
        if (thrown == null) {
            return line;
        }
        if (record.getLevel().intValue() == Level.WARNING.intValue()) {
            // Expected to happen now and then, so its cause is enough.
            return line.strip() + " (" + thrown + ")\n";
        }
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return line + trace;
    }

    private static String about() {
        Map<String, String> fields = LogFields.current();
        return fields.isEmpty() ? "" : " " + fields;
    }
}
