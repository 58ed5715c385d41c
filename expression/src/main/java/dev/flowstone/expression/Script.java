package dev.flowstone.expression;

import dev.flowstone.kernel.expression.Roots;

/**
 * A compiled expression.
 *
 * @param locals how many parameters its arrow functions have
 */
record Script(Node root, int locals, References references) implements Compilation {
    Object evaluate(Roots roots, Meter meter, Reads reads) {
        return root.evaluate(new Frame(roots, meter, reads, locals));
    }
}
