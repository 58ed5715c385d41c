package dev.flowstone.kernel.expression;

import dev.flowstone.kernel.json.JsonValue;

/** A filled-in template, or the first reason why there is none. */
public sealed interface Rendering {
    /** What it took, counted; the same each time, whatever the evaluator remembers from before. */
    long steps();

    /** Bytes of all that it produced on the way, counted likewise. */
    long bytes();

    /** The template with every expression replaced. */
    record Rendered(JsonValue value, long steps, long bytes) implements Rendering {}

    /**
     * No value: one of the template's expressions failed.
     *
     * @param pointer JSON pointer of the string, from the template's root
     */
    record Failed(String pointer, ExpressionError error, long steps, long bytes) implements Rendering {}
}
