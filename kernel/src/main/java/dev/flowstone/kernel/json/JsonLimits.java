package dev.flowstone.kernel.json;

/**
 * Bounds on what the parser accepts; beyond one it refuses, never truncates.
 *
 * @param bytes whole document
 * @param depth nested arrays and objects
 * @param numberDigits significant digits of one number, and its exponent's magnitude in scientific notation: {@code
 *     1e999999999} is refused. At most {@link JsonNumber#MAX_DIGITS}
 */
public record JsonLimits(int bytes, int depth, int numberDigits) {
    /** For whatever comes from outside. */
    public static final JsonLimits DEFAULT = new JsonLimits(16 << 20, 256, 1_000);

    /** For what Flowstone itself wrote: reads back every value that {@link CanonicalJson#exact} can write. */
    public static final JsonLimits STORED = new JsonLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, JsonNumber.MAX_DIGITS);

    public JsonLimits {
        if (bytes < 1 || depth < 1 || numberDigits < 1 || numberDigits > JsonNumber.MAX_DIGITS) {
            throw new IllegalArgumentException("limits are positive, and a number's at most " + JsonNumber.MAX_DIGITS
                    + " digits: " + bytes + " bytes, depth " + depth + ", " + numberDigits + " digits");
        }
    }
}
