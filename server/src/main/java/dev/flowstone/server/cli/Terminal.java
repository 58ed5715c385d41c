package dev.flowstone.server.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Where words go, and whether a person reads them.
 *
 * @param err for everything that isn't the answer
 * @param colours whether escape sequences are understood
 */
record Terminal(PrintWriter out, PrintWriter err, boolean colours) {
    /** This process's own. */
    static Terminal ofProcess() {
        return new Terminal(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                colours(System.getenv(), Terminal::isInteractive));
    }

    /** {@code NO_COLOR} (no-color.org) and dumb terminals say no. */
    private static boolean colours(Map<String, String> environment, BooleanSupplier interactive) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb")
                && interactive.getAsBoolean();
    }

    private static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    String bold(String text) {
        return painted("1", text);
    }

    String dim(String text) {
        return painted("2", text);
    }

    String red(String text) {
        return painted("31", text);
    }

    String green(String text) {
        return painted("32", text);
    }

    String yellow(String text) {
        return painted("33", text);
    }

    private String painted(String code, String text) {
        return colours && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
