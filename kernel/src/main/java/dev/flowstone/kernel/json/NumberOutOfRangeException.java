package dev.flowstone.kernel.json;

/** The strict form was asked for a number beyond the doubles, such as {@code 1e400}; RFC 8785 can't write it. */
public final class NumberOutOfRangeException extends ArithmeticException {
    private static final long serialVersionUID = 1L;

    public NumberOutOfRangeException(JsonNumber number) {
        super("RFC 8785 can't write " + Hints.cut(number.toString()) + ", which is no double; the exact form can");
    }
}
