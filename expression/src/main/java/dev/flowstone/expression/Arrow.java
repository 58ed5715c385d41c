package dev.flowstone.expression;

import java.util.List;

/**
 * {@code (item, index, array) => body}. Not a value: it stands only where a method takes one, so that nothing can call
 * itself.
 *
 * @param slots where its parameters live in the {@link Frame}; at most three
 */
record Arrow(List<Integer> slots, Node body) {
    Arrow {
        slots = List.copyOf(slots);
    }
}
