package dev.flowstone.dialect.drawing;

/** How wide a text will be in a common sans-serif face: near enough to draw a box around it. */
final class TextWidth {
    private TextWidth() {}

    static double of(String text, double size) {
        return text.codePoints().mapToDouble(TextWidth::ems).sum() * size;
    }

    private static double ems(int c) {
        if ("iljtfrI.,:;'|!()[]{} ·".indexOf(c) >= 0) {
            return 0.37;
        }
        if ("mwMW@%…".indexOf(c) >= 0) {
            return 0.92;
        }
        if (Character.isIdeographic(c) || isHangul(c) || isEmoji(c)) {
            return 1.05;
        }
        return Character.isUpperCase(c) ? 0.7 : 0.6;
    }

    private static boolean isHangul(int c) {
        return c >= 0xAC00 && c <= 0xD7A3;
    }

    private static boolean isEmoji(int c) {
        return c >= 0x2600 && !Character.isLetterOrDigit(c);
    }
}
