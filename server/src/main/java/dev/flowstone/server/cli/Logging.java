package dev.flowstone.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log goes to standard error, one line a record, because standard output is for answers. */
final class Logging {
    /** {@code WARNING} unless set; a name of {@link Level}. */
    private static final String VARIABLE = "FLOWSTONE_LOG";

    private Logging() {}

    static void toStandardError(Map<String, String> environment) {
        LogManager.getLogManager().reset();
        Level level = level(environment.getOrDefault(VARIABLE, "WARNING"));
        ConsoleHandler handler = new ConsoleHandler();
        handler.setLevel(level);
        handler.setFormatter(new OneLine());
        Logger logger = Logger.getLogger("");
        logger.addHandler(handler);
        logger.setLevel(level);
    }

    private static Level level(String name) {
        try {
            return Level.parse(name);
        } catch (IllegalArgumentException e) {
            return Level.WARNING;
        }
    }

    private static final class OneLine extends Formatter {
        @Override
        public String format(LogRecord record) {
            String name = String.valueOf(record.getLoggerName());
            String line = Instant.ofEpochMilli(record.getMillis()) + " " + record.getLevel() + " "
                    + name.substring(name.lastIndexOf('.') + 1) + ": " + formatMessage(record) + "\n";
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
    }
}
