package dev.flowstone.kernel.json;

/**
 * Well-formed UTF-8, exactly (Unicode standard, table 3-7): overlong forms, encoded surrogates, characters above
 * U+10FFFF and sequences cut short are not.
 */
final class Utf8 {
    private Utf8() {}

    /** The index after the character of several bytes that begins here, or -1 if it isn't well-formed. */
    static int next(byte[] bytes, int at) {
        int lead = bytes[at] & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return -1;
        }
        if (lead < 0xE0) {
            return continues(bytes, at + 1, 0x80, 0xBF) ? at + 2 : -1;
        }
        if (lead < 0xF0) {
            int low = lead == 0xE0 ? 0xA0 : 0x80;
            int high = lead == 0xED ? 0x9F : 0xBF;
            return continues(bytes, at + 1, low, high) && continues(bytes, at + 2, 0x80, 0xBF) ? at + 3 : -1;
        }
        int low = lead == 0xF0 ? 0x90 : 0x80;
        int high = lead == 0xF4 ? 0x8F : 0xBF;
        return continues(bytes, at + 1, low, high)
                        && continues(bytes, at + 2, 0x80, 0xBF)
                        && continues(bytes, at + 3, 0x80, 0xBF)
                ? at + 4
                : -1;
    }

    /** The index of the first surrogate without its partner, or -1. Such text has no UTF-8 form. */
    static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                if (!pairAt(text, i)) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /** Refuses text that has no UTF-8 form. */
    static void requireEncodable(String what, String text) {
        int lone = loneSurrogate(text);
        if (lone >= 0) {
            throw new IllegalArgumentException(String.format(
                    "a %s has no lone surrogates: U+%04X at position %d has no partner",
                    what, (int) text.charAt(lone), lone));
        }
    }

    private static boolean pairAt(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }

    private static boolean continues(byte[] bytes, int at, int low, int high) {
        if (at >= bytes.length) {
            return false;
        }
        int b = bytes[at] & 0xFF;
        return b >= low && b <= high;
    }
}
