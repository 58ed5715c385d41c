package dev.flowstone.templates.body;

/** A body cut at its braces. */
sealed interface Piece {
    /** Where it begins in the source, braces included. */
    int offset();

    /** What stands in the result as it is. */
    record Literal(int offset, String text) implements Piece {}

    /**
     * An expression.
     *
     * @param from where it begins behind its braces
     */
    record Hole(int offset, String expression, int from) implements Piece {}

    /**
     * A tag.
     *
     * @param word its first word
     * @param rest behind that, without space around it
     * @param from where that begins
     */
    record Tag(int offset, String word, String rest, int from) implements Piece {}
}
