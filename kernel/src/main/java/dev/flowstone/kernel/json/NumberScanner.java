package dev.flowstone.kernel.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Reads one number token, exactly. Whether a number is within the limit depends on its value alone, never on its
 * spelling: at most {@code max} significant digits, and at most {@code max} places between its first digit and the
 * point. The work is linear in the token's length: no exponent is ever expanded.
 */
final class NumberScanner {
    /** Larger than any distance that digits can span, small enough never to overflow a long. */
    private static final long HUGE = 1L << 40;

    private NumberScanner() {}

    static JsonNumber read(JsonInput in, int max) throws JsonSyntaxException {
        byte[] bytes = in.bytes;
        int i = in.at;
        boolean negative = bytes[i] == '-';
        if (negative) {
            i++;
        }
        int first = i;
        int stop = Math.min(bytes.length, first + 18);
        long value = 0;
        while (i < stop && isDigit(bytes[i])) {
            value = value * 10 + (bytes[i] - '0');
            i++;
        }
        boolean wellFormed = i > first && (bytes[first] != '0' || i == first + 1);
        if (wellFormed && max >= 18 && !goesOn(bytes, i)) {
            in.at = i;
            return JsonNumber.of(negative ? -value : value);
        }
        return readAny(in, first, max);
    }

    /** Reads any number whose first digit is (or should be) at {@code first}. */
    private static JsonNumber readAny(JsonInput in, int first, int max) throws JsonSyntaxException {
        byte[] bytes = in.bytes;
        int start = in.at;
        int point = digits(in, first, start == first ? "a value" : "a digit after '-'");
        if (bytes[first] == '0' && point > first + 1) {
            throw in.fault(first, "a number has no leading zeros");
        }
        int end = point;
        if (end < bytes.length && bytes[end] == '.') {
            end = digits(in, point + 1, "a digit after the '.'");
        }
        long exponent = 0;
        in.at = end;
        if (end < bytes.length && (bytes[end] == 'e' || bytes[end] == 'E')) {
            exponent = exponent(in);
        }
        BigDecimal value = value(in, first, point, end, exponent, max, start);
        return JsonNumber.of(start == first ? value : value.negate());
    }

    private static BigDecimal value(JsonInput in, int first, int point, int end, long exponent, int max, int start)
            throws JsonSyntaxException {
        int from = first;
        // Of the characters in a mantissa only the point is less than '0': both loops pass it, too.
        while (from < end && in.bytes[from] <= '0') {
            from++;
        }
        if (from == end) {
            return BigDecimal.ZERO;
        }
        int to = end;
        while (in.bytes[to - 1] <= '0') {
            to--;
        }
        boolean pointInside = from < point && point < to;
        int significant = to - from - (pointInside ? 1 : 0);
        long leading = (from < point ? point - from - 1 : point - from) + exponent;
        if (significant > max) {
            throw in.fault(
                    start, "a number has at most " + max + " significant digits here, this one has " + significant);
        }
        if (Math.abs(leading) > max) {
            throw in.fault(start, "a number's exponent is at most " + max + " here, in either direction");
        }
        long scale = significant - 1 - leading;
        return decimal(new String(in.bytes, from, to - from, StandardCharsets.ISO_8859_1), pointInside, (int) scale);
    }

    private static BigDecimal decimal(String token, boolean pointInside, int scale) {
        String digits = pointInside ? token.replace(".", "") : token;
        return digits.length() <= 18
                ? BigDecimal.valueOf(Long.parseLong(digits), scale)
                : new BigDecimal(new BigInteger(digits), scale);
    }

    /** Reads the exponent at the current 'e', capped at {@link #HUGE}; stops behind it. */
    private static long exponent(JsonInput in) throws JsonSyntaxException {
        byte[] bytes = in.bytes;
        int i = in.at + 1;
        boolean negative = i < bytes.length && bytes[i] == '-';
        if (negative || (i < bytes.length && bytes[i] == '+')) {
            i++;
        }
        int end = digits(in, i, "a digit in the exponent");
        long exponent = 0;
        for (; i < end; i++) {
            exponent = Math.min(HUGE, exponent * 10 + (bytes[i] - '0'));
        }
        in.at = end;
        return negative ? -exponent : exponent;
    }

    /** The index behind the run of digits that begins here; refuses an empty run. */
    private static int digits(JsonInput in, int at, String expected) throws JsonSyntaxException {
        int i = at;
        while (i < in.bytes.length && isDigit(in.bytes[i])) {
            i++;
        }
        if (i == at) {
            in.at = at;
            throw in.expected(expected);
        }
        return i;
    }

    private static boolean goesOn(byte[] bytes, int at) {
        if (at >= bytes.length) {
            return false;
        }
        byte b = bytes[at];
        return isDigit(b) || b == '.' || b == 'e' || b == 'E';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
