package dev.flowstone.templates.body;

/**
 * What a body, and one rendering of it, may be and use. Everything is counted, nothing is timed.
 *
 * @param sourceChars of a body
 * @param parts of a body: pieces of text, expressions and tags
 * @param depth of tags inside tags
 * @param outputChars of what is rendered
 * @param turns of all loops of a rendering together
 * @param steps of all expressions of a rendering together, as {@link dev.flowstone.expression.ExpressionBudget} counts them
 * @param bytes that they produce, likewise
 */
public record BodyLimits(int sourceChars, int parts, int depth, int outputChars, int turns, long steps, long bytes) {
    public static final BodyLimits DEFAULT =
            new BodyLimits(256 << 10, 10_000, 32, 512 << 10, 10_000, 40_000_000, 64L << 20);
}
