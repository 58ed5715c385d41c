package dev.flowstone.dialect.drawing;

/** A drawing, or why there is none. */
public sealed interface Drawing {
    /** The whole document. */
    record Drawn(String text) implements Drawing {}

    /** More than can be drawn legibly. The message says how much, what the limit is, and what to do instead. */
    record TooLarge(String message) implements Drawing {}
}
