package dev.flowstone.kernel.expression;

/**
 * A root had the value that an expression asks for, and it was left out of the run's data since: the expression that reads it has no value,
 * with {@link #CODE} and this message. Control flow inside one evaluation; carries no stack trace.
 */
public final class OmittedException extends RuntimeException {
    /** Of the {@link ExpressionError}. */
    public static final String CODE = "CONTEXT_OMITTED";

    private static final long serialVersionUID = 1L;

    /** @param sentence what was left out, why, and how to get along without it */
    public OmittedException(String sentence) {
        super(sentence, null, false, false);
    }

    /** What was left out, why, and how to get along without it. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
