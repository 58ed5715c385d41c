package dev.flowstone.testkit.scenario.source;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Comparator;

/**
 * One thing that is wrong with a file.
 *
 * @param line from 1; 0 if the file as a whole is meant
 * @param column from 1; 0 if the file as a whole is meant
 * @param pointer JSON pointer to the value at fault; empty for the whole document
 * @param message what is wrong and, where it is known, what to do
 */
public record FileFault(Path file, int line, int column, String pointer, String message) {
    /** A message may quote what it is about. */
    private static final int LONGEST = 1_000;

    /** By place, in the order of the text. */
    public static final Comparator<FileFault> BY_PLACE = Comparator.comparing(FileFault::file)
            .thenComparingInt(FileFault::line)
            .thenComparingInt(FileFault::column)
            .thenComparing(FileFault::message);

    public FileFault {
        requireNonNull(file);
        requireNonNull(pointer);
        message = message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "…";
    }

    public static FileFault ofFile(Path file, String message) {
        return new FileFault(file, 0, 0, "", message);
    }

    /** {@code file:line:column}, as compilers write it, so that editors can jump there. */
    public String place() {
        return line == 0 ? file.toString() : file + ":" + line + ":" + column;
    }

    /** {@code file:line:column: /pointer: message}. */
    @Override
    public String toString() {
        return place() + ": " + (pointer.isEmpty() ? "" : pointer + ": ") + message;
    }
}
