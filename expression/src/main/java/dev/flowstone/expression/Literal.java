package dev.flowstone.expression;

/** A value written in the source. */
record Literal(Object value) implements Node {
    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        return value;
    }
}
