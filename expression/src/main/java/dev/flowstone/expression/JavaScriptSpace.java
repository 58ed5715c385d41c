package dev.flowstone.expression;

/** White space and line terminators as ECMAScript has them, which is neither Java's {@code trim} nor its {@code strip}. */
final class JavaScriptSpace {
    private JavaScriptSpace() {}

    static boolean isSpace(char character) {
        return switch (character) {
            case '\t', '\n', '\u000B', '\f', '\r', ' ', '\u00A0', '\u2028', '\u2029', '\uFEFF' -> true;
            default -> character > 0x7F && Character.getType(character) == Character.SPACE_SEPARATOR;
        };
    }

    static String trim(String text, boolean start, boolean end) {
        int from = 0;
        int to = text.length();
        while (start && from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (end && to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }
}
