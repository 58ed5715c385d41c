package dev.flowstone.expression;

/** A parameter of an arrow function. */
record LocalName(int slot) implements Node {
    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        return frame.local(slot);
    }
}
