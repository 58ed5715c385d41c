package dev.flowstone.server.cli;

import dev.flowstone.server.log.LogFormat;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** The log goes to standard error, one line a record, because standard output is for answers. */
final class Logging {
    /** {@code WARNING} unless set; a name of {@link Level}. */
    private static final String VARIABLE = "FLOWSTONE_LOG";

    /** {@code text} unless set; read here as well, for what happens before settings are. */
    private static final String FORMAT = "FLOWSTONE_LOG_FORMAT";

    /** Ours. Held, as nobody else holds loggers. */
    private static final Logger OURS = Logger.getLogger("dev.flowstone");

    private Logging() {}

    static void toStandardError(Map<String, String> environment) {
        LogManager.getLogManager().reset();
        Level level = level(environment.getOrDefault(VARIABLE, "WARNING"));
        ConsoleHandler handler = new ConsoleHandler();
        handler.setLevel(level);
        handler.setFormatter(format(environment.getOrDefault(FORMAT, "text")).formatter());
        Logger logger = Logger.getLogger("");
        logger.addHandler(handler);
        // Libraries tell of whole requests below INFO, and of what statements carry, secrets and all.
        logger.setLevel(level.intValue() < Level.INFO.intValue() ? Level.INFO : level);
        OURS.setLevel(level);
    }

    /** From now on. */
    static void as(LogFormat format) {
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setFormatter(format.formatter());
        }
    }

    private static LogFormat format(String name) {
        try {
            return LogFormat.parse(name.strip());
        } catch (IllegalArgumentException e) {
            return LogFormat.TEXT;
        }
    }

    private static Level level(String name) {
        try {
            return Level.parse(name);
        } catch (IllegalArgumentException e) {
            return Level.WARNING;
        }
    }
}
