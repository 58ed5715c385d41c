package dev.flowstone.bench.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A torture that couldn't go on, or would have proven nothing: a process ended by itself, wasn't ready in time, or a fault did nothing. Its
 * message says at which step, what failed, who wasn't there, and which files of the folder say more.
 */
public final class UnfinishedTortureException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final Set<String> LEDGERS = Set.of("commands.log", "decisions.log", "effects.log", "messages.log");

    /** Below the torture's folder; each may be missing. */
    private static final List<String> PLACES = List.of("", "database", "pair");

    UnfinishedTortureException(String step, List<String> absent, Path folder, Exception cause) {
        super(message(step, absent, folder, cause), cause);
    }

    private static String message(String step, List<String> absent, Path folder, Exception cause) {
        String told = "the torture could not go on at the step '" + step + "': " + words(cause);
        String gone = absent.isEmpty() ? "" : "\nnot running at that moment: " + String.join(", ", absent);
        String logs = logs(folder);
        return told + gone + "\nlook into " + folder
                + (logs.isEmpty() ? "" : ": what its processes said is in " + logs);
    }

    private static String words(Throwable thrown) {
        Throwable cause = thrown.getCause();
        String message = Objects.requireNonNullElse(thrown.getMessage(), thrown.toString());
        return cause == null || message.contains(String.valueOf(cause.getMessage()))
                ? message
                : message + " (" + words(cause) + ")";
    }

    private static String logs(Path folder) {
        Set<String> logs = new TreeSet<>();
        for (String place : PLACES) {
            try (Stream<Path> files = Files.list(folder.resolve(place))) {
                files.map(file -> folder.relativize(file).toString())
                        .filter(name -> name.endsWith(".log") && !LEDGERS.contains(name))
                        .forEach(logs::add);
            } catch (IOException e) {
                // Nothing is there, or nothing that could be read.
            }
        }
        return String.join(", ", logs);
    }
}
