package dev.flowstone.kernel.expression;

/**
 * Why an expression has no value.
 *
 * @param code {@code SYNTAX}, {@code UNKNOWN_NAME}, {@code TYPE}, {@code FORBIDDEN}, {@code CONTEXT_OMITTED}, {@code
 *     BUDGET_STEPS}, {@code BUDGET_BYTES}, {@code BUDGET_DEPTH}, and {@code BUDGET_DECISION} if it was not evaluated at all
 * @param message one sentence for the author of the expression, at most 500 characters
 * @param position characters from the beginning of the source, or -1 if unknown
 */
public record ExpressionError(String code, String message, int position) {}
