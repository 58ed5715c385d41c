package dev.flowstone.expression;

import dev.flowstone.kernel.expression.ExpressionError;

/**
 * An expression in a template that does not compile.
 *
 * @param pointer JSON pointer of its string, from the template's root
 * @param error its position counts from the beginning of that string
 */
public record TemplateFault(String pointer, ExpressionError error) {}
