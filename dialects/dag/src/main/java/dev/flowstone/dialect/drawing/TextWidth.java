package dev.flowstone.dialect.drawing;

/** How wide a text will be in a common sans-serif face: near enough to draw a box around it. */
final class TextWidth {
    private TextWidth() {}

    static double of(String text, double size) {
        return text.codePoints().mapToDouble(TextWidth::ems).sum() * size;
    }

    private static double ems(int c) {
        if ("iljtfrI.,:;'|!()[]{} ·".indexOf(c) >= 0) {
            return 0.34;
        }
        if ("mwMW@%…".indexOf(c) >= 0) {
            return 0.88;
        }
        if (c >= 0x1100 && !Character.isLetterOrDigit(c) || Character.isIdeographic(c) || c >= 0xAC00 && c <= 0xD7A3) {
            return 1.05;
        }
        return Character.isUpperCase(c) ? 0.68 : 0.57;
    }
}
