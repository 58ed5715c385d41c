package dev.flowstone.dialect.fault;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

/**
 * One thing that is wrong with a definition or a trigger payload.
 *
 * @param pointer JSON pointer to the value at fault; to the enclosing object if something is missing in it
 * @param line of the text, from 1; 0 if there is no text (a trigger payload)
 * @param column in characters, from 1; 0 if there is no text
 * @param message what is wrong, in one sentence without control characters; user text in it is quoted and cut
 * @param remedy what to do about it
 */
public record Fault(
        FaultKind code, Severity severity, String pointer, int line, int column, String message, String remedy) {
    /** By place; what stands at one place goes by code and text, so that the order never depends on the checks'. */
    public static final Comparator<Fault> BY_PLACE = Comparator.comparingInt(Fault::line)
            .thenComparingInt(Fault::column)
            .thenComparing(Fault::pointer)
            .thenComparingInt(fault -> fault.code().ordinal())
            .thenComparing(Fault::message);

    public Fault {
        requireNonNull(code);
        requireNonNull(severity);
        requireNonNull(pointer);
        requireNonNull(message);
        requireNonNull(remedy);
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** As a compiler writes it: {@code 12:7 error UNKNOWN_NODE /nodes/0/onFailure: message (remedy)}. */
    @Override
    public String toString() {
        String kind = isError() ? "error" : "warning";
        return line + ":" + column + " " + kind + " " + code.id() + " " + pointer + ": " + message + " (" + remedy
                + ")";
    }
}
