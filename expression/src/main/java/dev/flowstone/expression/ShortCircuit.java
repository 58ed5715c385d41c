package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonNull;
import java.util.List;

/** {@code a && b && c}, {@code a || b}, {@code a ?? b}: the first operand that decides, else the last one. */
record ShortCircuit(Kind kind, List<Node> operands) implements Node {
    enum Kind {
        AND,
        OR,
        NULLISH;

        boolean decides(Object value) {
            return switch (this) {
                case AND -> !Coercion.truthy(value);
                case OR -> Coercion.truthy(value);
                case NULLISH -> value != JsonNull.NULL && value != Undefined.UNDEFINED;
            };
        }
    }

    ShortCircuit {
        operands = List.copyOf(operands);
    }

    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        Object value = operands.getFirst().evaluate(frame);
        for (int i = 1; i < operands.size() && !kind.decides(value); i++) {
            value = operands.get(i).evaluate(frame);
        }
        return value;
    }
}
