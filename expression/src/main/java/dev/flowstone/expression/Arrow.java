package dev.flowstone.expression;

/**
 * {@code (item, index, array) => body}. Not a value: it stands only where a method takes one, so that nothing can call
 * itself.
 *
 * @param slots where its parameters live in the {@link Frame}; at most three
 */
record Arrow(int[] slots, Node body) {}
