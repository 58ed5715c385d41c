package dev.flowstone.templates.body;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is wrong with a body, or why it couldn't be rendered.
 *
 * @param code {@code BODY_SYNTAX}, {@code UNKNOWN_TAG}, {@code TOO_LARGE}, or that of an {@link
 *     dev.flowstone.kernel.expression.ExpressionError}
 * @param line of the body, from 1
 * @param column in characters, from 1
 */
public record BodyFault(String code, int line, int column, String message, String remedy) {
    static final String SYNTAX = "BODY_SYNTAX";
    static final String UNKNOWN_TAG = "UNKNOWN_TAG";
    static final String TOO_LARGE = "TOO_LARGE";

    public BodyFault {
        requireNonNull(code);
        requireNonNull(message);
        requireNonNull(remedy);
    }

    static BodyFault at(String source, int offset, String code, String message, String remedy) {
        int end = Math.clamp(offset, 0, source.length());
        int line = 1;
        int begin = 0;
        for (int newline = source.indexOf('\n'); newline >= 0 && newline < end; newline = source.indexOf('\n', begin)) {
            line++;
            begin = newline + 1;
        }
        return new BodyFault(code, line, end - begin + 1, message, remedy);
    }

    /** Where it is and what it is, in one sentence. */
    public String sentence() {
        return "line " + line + ", column " + column + ": " + message;
    }
}
