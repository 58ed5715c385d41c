package dev.flowstone.expression;

import dev.flowstone.expression.Methods.Method;
import dev.flowstone.kernel.json.JsonString;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/** What can be called on a number. */
final class NumberMethods {
    private static final int MOST_FRACTION_DIGITS = 100;
    private static final BigDecimal TOO_LARGE = new BigDecimal("1e21");

    static final Map<String, Method<Object>> ALL = Map.of(
            "toFixed", new Method<>(1, NumberMethods::toFixed),
            "toString", new Method<>(0, (self, given) -> new JsonString(Numbers.text(self))));

    private NumberMethods() {}

    /** Rounds the exact decimal half away from zero: 1.005 becomes 1.01, where JavaScript's double becomes 1.00. */
    private static Object toFixed(Object self, Arguments given) {
        int digits = given.integer(0, 0);
        if (digits < 0 || digits > MOST_FRACTION_DIGITS) {
            throw Fault.type(
                    "'toFixed' takes 0 to " + MOST_FRACTION_DIGITS + " digits, not " + digits + ".", given.position());
        }
        if (self instanceof Double computed && !Double.isFinite(computed)) {
            return new JsonString(Numbers.text(self));
        }
        BigDecimal decimal = Numbers.decimal(self);
        if (decimal.abs().compareTo(TOO_LARGE) >= 0) {
            return new JsonString(Numbers.text(self));
        }
        BigDecimal modest = Numbers.isModest(decimal) ? decimal : BigDecimal.ZERO;
        BigDecimal rounded = modest.setScale(digits, RoundingMode.HALF_UP);
        String sign = rounded.signum() == 0 && modest.signum() < 0 ? "-" : "";
        return new JsonString(sign + rounded.toPlainString());
    }
}
