package dev.flowstone.expression;

import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.OmittedException;

/**
 * Ends a compilation or an evaluation; never leaves this package. Carries no stack trace: it is an answer, not a bug.
 */
final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int QUOTED_CHARS = 60;
    private static final int MESSAGE_CHARS = 500;

    /** The codes of {@link ExpressionError}. */
    enum Code {
        SYNTAX,
        UNKNOWN_NAME,
        TYPE,
        FORBIDDEN,
        CONTEXT_OMITTED,
        BUDGET_STEPS,
        BUDGET_BYTES,
        BUDGET_DEPTH
    }

    private final Code code;
    private final String sentence;
    private final int position;

    Fault(Code code, String sentence, int position) {
        super(sentence, null, false, false);
        this.code = code;
        this.sentence = sentence;
        this.position = position;
    }

    /** One that has been told before. */
    Fault(ExpressionError error) {
        this(Code.valueOf(error.code()), error.message(), error.position());
    }

    static Fault type(String sentence, int position) {
        return new Fault(Code.TYPE, sentence, position);
    }

    static Fault forbidden(String sentence, int position) {
        return new Fault(Code.FORBIDDEN, sentence, position);
    }

    static Fault syntax(String sentence, int position) {
        return new Fault(Code.SYNTAX, sentence, position);
    }

    static Fault omitted(OmittedException omitted, int position) {
        return new Fault(Code.CONTEXT_OMITTED, omitted.sentence(), position);
    }

    Code code() {
        return code;
    }

    /** The same fault in a text in which the expression begins later. */
    Fault shifted(int offset) {
        return position < 0 ? this : new Fault(code, sentence, position + offset);
    }

    /** @param offset where the expression begins in the text that its author sees */
    ExpressionError error(int offset) {
        String whole = WellFormed.repaired(sentence);
        String message = whole.length() <= MESSAGE_CHARS ? whole : cut(whole, MESSAGE_CHARS);
        return new ExpressionError(code.name(), message, position < 0 ? -1 : position + offset);
    }

    /** A piece of the author's text, short enough for a message. */
    static String quote(String text) {
        return "'" + (text.length() <= QUOTED_CHARS ? text : cut(text, QUOTED_CHARS)) + "'";
    }

    /** At most so many characters, the last one an ellipsis; never half of a surrogate pair. */
    static String cut(String text, int chars) {
        int end = chars - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
