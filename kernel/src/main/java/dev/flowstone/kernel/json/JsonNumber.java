package dev.flowstone.kernel.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number, exact: {@code 7615917337495251231} and {@code 0.1000000000000000055} come back digit by digit. Equal by
 * mathematical value. Minus zero is zero.
 *
 * <p>Bounded: at most {@link #MAX_DIGITS} significant digits, and as much for the exponent in scientific notation.
 */
public final class JsonNumber implements JsonValue, Comparable<JsonNumber> {
    public static final int MAX_DIGITS = 10_000;

    private static final JsonNumber[] SMALL = small();

    /** The value, if {@link #decimal} is null. */
    private final long integer;

    /** Without trailing zeros; null exactly if the value is an integer that fits in a long. */
    private final @Nullable BigDecimal decimal;

    private JsonNumber(long integer, @Nullable BigDecimal decimal) {
        this.integer = integer;
        this.decimal = decimal;
    }

    public static JsonNumber of(long value) {
        return value >= 0 && value < SMALL.length ? SMALL[(int) value] : new JsonNumber(value, null);
    }

    /** The shortest decimal that reads back as this double. Refuses NaN and the infinities. */
    public static JsonNumber of(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number for " + value);
        }
        if (Math.abs(value) < Double.MIN_NORMAL) {
            // Double.toString prefers a nearer decimal of two digits to one of a single digit. It matters only here.
            BigDecimal oneDigit = new BigDecimal(value).round(new MathContext(1, RoundingMode.HALF_EVEN));
            if (oneDigit.doubleValue() == value) {
                return of(oneDigit);
            }
        }
        return of(new BigDecimal(Double.toString(value)));
    }

    /** The same value, whatever its scale. Refuses more than {@link #MAX_DIGITS}. */
    public static JsonNumber of(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        int digits = stripped.precision();
        long exponent = digits - 1L - stripped.scale();
        if (digits > MAX_DIGITS || Math.abs(exponent) > MAX_DIGITS) {
            throw new IllegalArgumentException("a JSON number has at most " + MAX_DIGITS
                    + " significant digits and an exponent up to that, this one has " + digits + " and " + exponent);
        }
        boolean fits = stripped.scale() <= 0
                && (exponent < 18 || (exponent == 18 && stripped.toBigInteger().bitLength() < Long.SIZE));
        return fits ? of(stripped.longValue()) : new JsonNumber(0, stripped);
    }

    /** The value, without trailing zeros after the point. */
    public BigDecimal decimalValue() {
        return decimal == null ? BigDecimal.valueOf(integer) : decimal;
    }

    /** The nearest double; infinite if out of range. */
    public double doubleValue() {
        return decimal == null ? (double) integer : decimal.doubleValue();
    }

    /** Whether the value is an integer in the range of a long. */
    public boolean isLong() {
        return decimal == null;
    }

    /** The value as a long; refuses what isn't one. */
    public long longValue() {
        if (decimal != null) {
            throw new ArithmeticException("not an integer in the range of a long: " + Hints.cut(toString()));
        }
        return integer;
    }

    @Override
    public int compareTo(JsonNumber other) {
        return decimal == null && other.decimal == null
                ? Long.compare(integer, other.integer)
                : decimalValue().compareTo(other.decimalValue());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof JsonNumber that) || integer != that.integer) {
            return false;
        }
        return decimal == null ? that.decimal == null : decimal.equals(that.decimal);
    }

    @Override
    public int hashCode() {
        return decimal == null ? Long.hashCode(integer) : decimal.hashCode();
    }

    /** The canonical exact form. */
    @Override
    public String toString() {
        return CanonicalJson.exactText(this);
    }

    private static JsonNumber[] small() {
        JsonNumber[] numbers = new JsonNumber[256];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = new JsonNumber(i, null);
        }
        return numbers;
    }
}
