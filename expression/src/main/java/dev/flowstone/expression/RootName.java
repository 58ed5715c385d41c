package dev.flowstone.expression;

/** A root by itself; with members behind it, it is the base of a {@link Chain}. */
record RootName(String name, int position) implements Node {
    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        Object value = frame.root(name, position);
        frame.reads().add(name, value);
        return value;
    }
}
