package dev.flowstone.expression;

/** {@code condition ? one : other}. */
record Choice(Node condition, Node one, Node other) implements Node {
    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        return (Coercion.truthy(condition.evaluate(frame)) ? one : other).evaluate(frame);
    }
}
