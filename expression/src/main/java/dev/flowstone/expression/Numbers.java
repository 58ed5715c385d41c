package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonNumber;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Numbers of both sorts: exact ones, from JSON and from the source, and those that arithmetic has computed. A computed
 * number stands for the shortest decimal that reads back as it, so that {@code 0.1 * 1 === 0.1}.
 */
final class Numbers {
    /** Digits, and magnitude of the exponent, that a text may have to be read as a number. */
    static final int MOST_DIGITS = 1_000;

    /** Longer texts are read as doubles: exact decimals of a thousand digits cost more than a step is worth. */
    private static final int MOST_EXACT_CHARS = 100;

    /** JavaScript writes numbers below 1e21 without an exponent. */
    private static final int PLAIN_DIGITS = 21;

    private static final int LEAST_PLAIN_EXPONENT = -6;
    private static final long LARGEST_DOUBLE_INTEGER = 1L << 53;
    private static final int LARGEST_SCALE = 5_000;

    /** Possessive throughout: matching is linear. */
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?+(?:[0-9]++\\.?+[0-9]*+|\\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+");

    private static final Pattern RADIX = Pattern.compile("0(?:[xX][0-9a-fA-F]++|[oO][0-7]++|[bB][01]++)");

    private Numbers() {}

    static double toDouble(Object number) {
        return number instanceof JsonNumber exact ? exact.doubleValue() : (Double) number;
    }

    static boolean isNaN(Object value) {
        return value instanceof Double computed && computed.isNaN();
    }

    static boolean isNumber(Object value) {
        return value instanceof JsonNumber || value instanceof Double;
    }

    /** By value; neither may be NaN. */
    static int compare(Object left, Object right) {
        if (left instanceof JsonNumber one && right instanceof JsonNumber other) {
            return one.compareTo(other);
        }
        if (left instanceof Double one && right instanceof Double other) {
            return one < other ? -1 : one > other ? 1 : 0;
        }
        return left instanceof Double computed
                ? compareMixed(computed, (JsonNumber) right)
                : -compareMixed((Double) right, (JsonNumber) left);
    }

    private static int compareMixed(double computed, JsonNumber exact) {
        if (Double.isInfinite(computed)) {
            return computed > 0 ? 1 : -1;
        }
        if (exact.isLong() && isExactAsDouble(exact.longValue())) {
            double same = exact.longValue();
            return computed < same ? -1 : computed > same ? 1 : 0;
        }
        return JsonNumber.of(computed).compareTo(exact);
    }

    private static boolean isExactAsDouble(long integer) {
        return integer >= -LARGEST_DOUBLE_INTEGER && integer <= LARGEST_DOUBLE_INTEGER;
    }

    static Object negate(Object number) {
        return number instanceof JsonNumber exact
                ? JsonNumber.of(exact.decimalValue().negate())
                : (Object) (-(Double) number);
    }

    /** JavaScript's layout with as many digits as the number has. */
    static String text(Object number) {
        if (number instanceof Double computed && !Double.isFinite(computed)) {
            return computed.isNaN() ? "NaN" : computed > 0 ? "Infinity" : "-Infinity";
        }
        if (number instanceof JsonNumber exact && exact.isLong()) {
            return Long.toString(exact.longValue());
        }
        BigDecimal decimal = decimal(number);
        return decimal.signum() < 0 ? "-" + layout(decimal.negate()) : layout(decimal);
    }

    private static String layout(BigDecimal decimal) {
        if (decimal.signum() == 0) {
            return "0";
        }
        BigDecimal plain = decimal.stripTrailingZeros();
        String digits = plain.unscaledValue().toString();
        long point = digits.length() - (long) plain.scale();
        if (point > PLAIN_DIGITS || point < LEAST_PLAIN_EXPONENT + 1) {
            String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
            return mantissa + (point > 0 ? "e+" : "e") + (point - 1);
        }
        if (point <= 0) {
            return "0." + "0".repeat((int) -point) + digits;
        }
        return point >= digits.length()
                ? digits + "0".repeat((int) point - digits.length())
                : digits.substring(0, (int) point) + "." + digits.substring((int) point);
    }

    /** A finite number as a decimal. */
    static BigDecimal decimal(Object number) {
        return number instanceof JsonNumber exact
                ? exact.decimalValue()
                : JsonNumber.of((Double) number).decimalValue();
    }

    /** Whether rounding and the like may work on the decimal without producing an absurd number of digits. */
    static boolean isModest(BigDecimal decimal) {
        return Math.abs((long) decimal.scale()) <= LARGEST_SCALE && decimal.precision() <= LARGEST_SCALE;
    }

    /** JavaScript's StringToNumber, exact where it can be; NaN if the text is no number. */
    static Object parse(String text) {
        String trimmed = JavaScriptSpace.trim(text, true, true);
        if (trimmed.isEmpty()) {
            return JsonNumber.of(0);
        }
        if (trimmed.length() > MOST_DIGITS) {
            return Double.NaN;
        }
        return switch (trimmed) {
            case "Infinity", "+Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> literal(trimmed, true);
        };
    }

    /** A numeric literal of the source; NaN if it is none that the language has. */
    static Object literal(String text, boolean signed) {
        if (text.length() > MOST_DIGITS) {
            return Double.NaN;
        }
        if (RADIX.matcher(text).matches()) {
            int radix = switch (text.toLowerCase(Locale.ROOT).charAt(1)) {
                case 'x' -> 16;
                case 'o' -> 8;
                default -> 2;
            };
            return JsonNumber.of(new BigDecimal(new BigInteger(text.substring(2), radix)));
        }
        if (!DECIMAL.matcher(text).matches() || (!signed && isOldOctal(text))) {
            return Double.NaN;
        }
        int exponent = text.toLowerCase(Locale.ROOT).indexOf('e');
        if (text.length() > MOST_EXACT_CHARS || (exponent >= 0 && text.length() - exponent > 6)) {
            return Double.parseDouble(text);
        }
        BigDecimal exact = new BigDecimal(text);
        return Math.abs(exact.scale()) <= MOST_DIGITS ? JsonNumber.of(exact) : (Object) exact.doubleValue();
    }

    private static boolean isOldOctal(String text) {
        return text.length() > 1 && text.charAt(0) == '0' && Character.isDigit(text.charAt(1));
    }
}
