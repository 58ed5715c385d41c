package dev.flowstone.kernel.json;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number, exact: {@code 7615917337495251231} and {@code 0.1000000000000000055} come back digit by digit. Equal by
 * mathematical value. Minus zero is zero.
 */
public final class JsonNumber implements JsonValue, Comparable<JsonNumber> {
    private final BigDecimal value;

    private JsonNumber(BigDecimal value) {
        this.value = value;
    }

    public static JsonNumber of(long value) {
        return new JsonNumber(BigDecimal.valueOf(value));
    }

    /** The shortest decimal that reads back as this double. Refuses NaN and the infinities. */
    public static JsonNumber of(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number for " + value);
        }
        return of(new BigDecimal(Double.toString(value)));
    }

    public static JsonNumber of(BigDecimal value) {
        return new JsonNumber(value.signum() == 0 ? BigDecimal.ZERO : value);
    }

    public BigDecimal decimalValue() {
        return value;
    }

    /** The nearest double; infinite if out of range. */
    public double doubleValue() {
        return value.doubleValue();
    }

    @Override
    public int compareTo(JsonNumber other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonNumber that && value.compareTo(that.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
