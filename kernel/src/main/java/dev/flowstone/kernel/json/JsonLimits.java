package dev.flowstone.kernel.json;

/**
 * Bounds on what the parser accepts; beyond one it refuses, never truncates.
 *
 * @param bytes whole document
 * @param depth nested arrays and objects
 * @param numberDigits digits of one number, the exponent's magnitude included: {@code 1e999999999} is refused
 */
public record JsonLimits(int bytes, int depth, int numberDigits) {
    public static final JsonLimits DEFAULT = new JsonLimits(16 << 20, 256, 1_000);
}
