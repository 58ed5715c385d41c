package dev.flowstone.expression;

import java.util.List;

/**
 * Operators that take their operands from the left, as in {@code a + b - c === d}: evaluated in a loop, so that a long
 * chain is not a deep one.
 */
record BinaryChain(Node first, List<Next> rest) implements Node {
    record Next(BinaryOperator operator, Node operand, int position) {}

    BinaryChain {
        rest = List.copyOf(rest);
    }

    @Override
    public Object evaluate(Frame frame) {
        Object value = first.evaluate(frame);
        for (int i = 0; i < rest.size(); i++) {
            Next next = rest.get(i);
            frame.meter().step();
            value = next.operator.apply(value, next.operand.evaluate(frame), frame.meter(), next.position);
        }
        return value;
    }
}
