package dev.flowstone.expression;

import java.util.List;

/** {@code Math.max(a, b)} and the other named functions. */
record FunctionCallNode(Functions.Function function, List<Node> arguments, int position) implements Node {
    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        return function.body().apply(Arguments.evaluate(arguments, frame, position));
    }
}
