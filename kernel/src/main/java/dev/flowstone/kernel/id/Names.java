package dev.flowstone.kernel.id;

/** The rule that all names share. */
final class Names {
    static final int MAX_LENGTH = 200;

    private Names() {}

    static void check(String what, String value) {
        check(what, value, MAX_LENGTH);
    }

    static void check(String what, String value, int maxLength) {
        if (value.isEmpty() || value.length() > maxLength) {
            throw new IllegalArgumentException(
                    "a " + what + " has 1 to " + maxLength + " characters, this one has " + value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException("a " + what + " has no control characters (position " + i + ")");
            }
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < value.length()
                        && Character.isLowSurrogate(value.charAt(i + 1));
                if (!paired) {
                    throw new IllegalArgumentException("a " + what + " has no lone surrogates (position " + i + ")");
                }
                i++;
            }
        }
    }
}
