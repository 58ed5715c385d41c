package dev.flowstone.mail;

/** Texts that stand in a header: one line, so that nothing breaks out of it. */
final class Line {
    private Line() {}

    /** Whether it has a line break or another control character in it, or half of a surrogate pair, which no charset writes. */
    static boolean isBroken(String text) {
        return text.codePoints().anyMatch(Line::breaks);
    }

    private static boolean breaks(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            default -> false;
        };
    }
}
