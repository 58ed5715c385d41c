package dev.flowstone.server.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where words go, and whether a person reads them.
 *
 * @param err for everything that isn't the answer
 * @param colours whether escape sequences are understood
 * @param width columns of the window; empty where nobody looks, such as in a pipe
 */
record Terminal(PrintWriter out, PrintWriter err, boolean colours, Supplier<OptionalInt> width) {
    Terminal(PrintWriter out, PrintWriter err, boolean colours) {
        this(out, err, colours, OptionalInt::empty);
    }

    /** This process's own. */
    static Terminal ofProcess() {
        return new Terminal(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                colours(System.getenv(), Terminal::isInteractive),
                Terminal::columns);
    }

    /** Asking the system takes a process of its own: only who prints a table does. */
    private static OptionalInt columns() {
        return isInteractive()
                ? OptionalInt.of(
                        CommandSpec.create().usageMessage().autoWidth(true).width())
                : OptionalInt.empty();
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
