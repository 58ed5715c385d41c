package dev.flowstone.kernel.json;

import java.nio.charset.StandardCharsets;

/**
 * The canonical writer: equal values give equal bytes, different ones different bytes. In two named forms: <i>exact</i>,
 * which events, payloads and programs are stored and hashed in, and <i>strict</i>, which is RFC 8785. Both are UTF-8
 * without white space, members sorted by their names' UTF-16 code units, strings escaped only where JSON demands it. They
 * differ in numbers alone.
 *
 * <p><b>Exact numbers.</b> Let the value be ±0.d₁d₂…d<sub>k</sub> × 10<sup>n</sup> with d₁ ≠ 0 and d<sub>k</sub> ≠ 0.
 * Written is a {@code -} if it is negative, and then
 *
 * <ul>
 *   <li>for k ≤ n ≤ 21 the digits and n − k zeros: {@code 120};
 *   <li>for 0 &lt; n &lt; k, n ≤ 21, n digits, a point, the others: {@code 1.2};
 *   <li>for −6 &lt; n ≤ 0 {@code 0.}, −n zeros, the digits: {@code 0.0012};
 *   <li>otherwise the first digit, a point and the other digits if there are any, {@code e+} or {@code e-}, and the
 *       magnitude of n − 1: {@code 1.2e-9}.
 * </ul>
 *
 * <p>Zero is {@code 0}. This is ECMAScript's layout on the exact digits, so that a number which is the shortest decimal of
 * its double has the same bytes in both forms. Both are documented byte by byte in {@code docs/canonical-json.md}.
 */
public final class CanonicalJson {
    private CanonicalJson() {}

    /** UTF-8 bytes of the exact form. Reading them with {@link JsonLimits#STORED} gives an equal value, always. */
    public static byte[] exact(JsonValue value) {
        return new CanonicalWriter(false).write(value);
    }

    /** How many bytes {@link #exact} has, without making them. */
    public static long exactLength(JsonValue value) {
        return CanonicalLength.of(value);
    }

    /**
     * UTF-8 bytes of the RFC 8785 form; every number becomes the nearest double's. Loses what a double can't hold; {@code
     * 1e-400} becomes {@code 0}. A number whose nearest double is infinite raises {@link NumberOutOfRangeException}.
     */
    public static byte[] strict(JsonValue value) {
        return new CanonicalWriter(true).write(value);
    }

    public static String exactText(JsonValue value) {
        return new String(exact(value), StandardCharsets.UTF_8);
    }
}
