package dev.flowstone.kernel.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonNumberTest {
    private static JsonNumber decimal(String text) {
        return JsonNumber.of(new BigDecimal(text));
    }

    @Test
    void isEqualByMathematicalValue() {
        assertEquals(JsonNumber.of(1), decimal("1.000"));
        assertEquals(JsonNumber.of(100).hashCode(), decimal("1e2").hashCode());
        assertEquals(decimal("1.50"), JsonNumber.of(1.5));
        assertEquals(JsonNumber.of(0), JsonNumber.of(-0.0));
        assertEquals(JsonNumber.of(Long.MAX_VALUE), decimal("9223372036854775807.0"));
        assertNotEquals(decimal("0.1"), decimal("0.10000000000000001"));
        assertNotEquals(JsonNumber.of(0), decimal("0.5"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "255", "256", "9223372036854775807", "-9223372036854775808", "1e18", "-1E+18"})
    void knowsLongs(String text) {
        BigDecimal value = new BigDecimal(text);

        assertTrue(JsonNumber.of(value).isLong());
        assertEquals(value.longValueExact(), JsonNumber.of(value).longValue());
        assertEquals(JsonNumber.of(value.longValueExact()), JsonNumber.of(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5", "9223372036854775808", "-9223372036854775809", "1e19", "-1e300", "1e-300"})
    void knowsWhatIsNoLong(String text) {
        assertFalse(decimal(text).isLong());
        assertThrows(ArithmeticException.class, () -> decimal(text).longValue());
    }

    @Test
    void ordersByValue() {
        assertTrue(JsonNumber.of(2).compareTo(decimal("1.9999999999999999999")) > 0);
        assertTrue(JsonNumber.of(Long.MIN_VALUE).compareTo(JsonNumber.of(Long.MAX_VALUE)) < 0);
        assertEquals(0, decimal("1e400").compareTo(decimal("10e399")));
    }

    @Test
    void refusesWhatIsNoNumberOrTooLarge() {
        assertThrows(IllegalArgumentException.class, () -> JsonNumber.of(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> JsonNumber.of(Double.NEGATIVE_INFINITY));
        assertThrows(IllegalArgumentException.class, () -> decimal("1e10001"));
        assertThrows(IllegalArgumentException.class, () -> decimal("1e-10001"));
        assertThrows(IllegalArgumentException.class, () -> decimal("1e-2000000000"));
        assertEquals("-1e+10000", decimal("-1e10000").toString());
    }
}
