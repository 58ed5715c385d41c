package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonString;

/** {@code <} and its like: strings by UTF-16 code units, everything else as numbers, exactly. */
final class Ordering {
    static final int LESS = -1;
    static final int EQUAL = 0;
    static final int GREATER = 1;

    /** A side is not a number: every comparison is false. */
    static final int NONE = 2;

    private Ordering() {}

    static int compare(Object left, Object right, Meter meter, int position) {
        if (left instanceof JsonString one && right instanceof JsonString other) {
            meter.scan(Math.min(one.value().length(), other.value().length()));
            return Integer.signum(one.value().compareTo(other.value()));
        }
        Object one = Coercion.number(left, position);
        Object other = Coercion.number(right, position);
        return Numbers.isNaN(one) || Numbers.isNaN(other) ? NONE : Numbers.compare(one, other);
    }
}
