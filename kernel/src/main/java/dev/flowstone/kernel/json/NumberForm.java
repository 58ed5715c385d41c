package dev.flowstone.kernel.json;

import java.math.BigDecimal;

/**
 * How a number is written: ECMAScript's Number::toString layout (ECMA-262, section 6.1.6.1.20), applied to the exact
 * decimal digits. For a number that is its double's shortest decimal this is RFC 8785's form, byte by byte.
 */
final class NumberForm {
    private NumberForm() {}

    static void write(JsonNumber number, JsonOutput out) {
        if (number.isLong()) {
            out.putLong(number.longValue());
            return;
        }
        BigDecimal value = number.decimalValue();
        if (value.signum() < 0) {
            out.put('-');
        }
        String digits = value.unscaledValue().abs().toString();
        layOut(digits, digits.length() - value.scale(), out);
    }

    /**
     * Writes 0.{@code digits} × 10^{@code point}.
     *
     * @param digits significant digits, neither the first nor the last of them zero
     */
    private static void layOut(String digits, int point, JsonOutput out) {
        int count = digits.length();
        if (count <= point && point <= 21) {
            out.putAscii(digits);
            out.putAscii("0".repeat(point - count));
        } else if (0 < point && point <= 21) {
            out.putAscii(digits.substring(0, point));
            out.put('.');
            out.putAscii(digits.substring(point));
        } else if (-6 < point && point <= 0) {
            out.putAscii("0.");
            out.putAscii("0".repeat(-point));
            out.putAscii(digits);
        } else {
            scientific(digits, point - 1, out);
        }
    }

    private static void scientific(String digits, int exponent, JsonOutput out) {
        out.put(digits.charAt(0));
        if (digits.length() > 1) {
            out.put('.');
            out.putAscii(digits.substring(1));
        }
        out.putAscii(exponent < 0 ? "e" : "e+");
        out.putLong(exponent);
    }
}
