package dev.flowstone.expression;

/** Finds a string in a string in linear time; the platform's own search is quadratic at its worst. */
final class Search {
    /** Below so many comparisons at worst, the platform's search is cheap enough. */
    private static final long FEW_COMPARISONS = 1 << 14;

    private static final int[] NONE = {};

    private final String pattern;
    private final Meter meter;
    private int[] fallback = NONE;

    Search(String pattern, Meter meter) {
        this.pattern = pattern;
        this.meter = meter;
    }

    /** Where the pattern is next, at {@code from} or later; -1 if nowhere. Charges for the characters passed over. */
    int next(String text, int from) {
        if (pattern.length() > text.length() - from) {
            return -1;
        }
        long comparisons = (long) (text.length() - from) * pattern.length();
        int found = comparisons <= FEW_COMPARISONS ? text.indexOf(pattern, from) : linear(text, from);
        int passed = found < 0 ? text.length() - from : found - from + pattern.length();
        meter.scan(passed);
        return found;
    }

    /** Knuth, Morris and Pratt's. */
    private int linear(String text, int from) {
        if (fallback.length == 0) {
            fallback = fallbacks();
        }
        int matched = 0;
        for (int i = from; i < text.length(); i++) {
            char next = text.charAt(i);
            while (matched > 0 && pattern.charAt(matched) != next) {
                matched = fallback[matched - 1];
            }
            if (pattern.charAt(matched) == next && ++matched == pattern.length()) {
                return i - matched + 1;
            }
        }
        return -1;
    }

    private int[] fallbacks() {
        meter.bytes(4L * pattern.length());
        meter.scan(pattern.length());
        int[] table = new int[pattern.length()];
        int matched = 0;
        for (int i = 1; i < table.length; i++) {
            while (matched > 0 && pattern.charAt(matched) != pattern.charAt(i)) {
                matched = table[matched - 1];
            }
            if (pattern.charAt(matched) == pattern.charAt(i)) {
                matched++;
            }
            table[i] = matched;
        }
        return table;
    }
}
