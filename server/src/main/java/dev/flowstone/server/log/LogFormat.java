package dev.flowstone.server.log;

import java.util.Locale;
import java.util.logging.Formatter;

/** How the log is written. */
public enum LogFormat {
    TEXT,
    JSON;

    /**
     * Reads its name.
     *
     * @throws IllegalArgumentException if there is no such format
     */
    public static LogFormat parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "text" -> TEXT;
            case "json" -> JSON;
            default -> throw new IllegalArgumentException("text or json");
        };
    }

    public Formatter formatter() {
        return switch (this) {
            case TEXT -> new TextLines();
            case JSON -> new JsonLines();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
