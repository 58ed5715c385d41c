package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonString;

/** {@code !a}, {@code -a}, {@code +a}, {@code typeof a}. */
record Unary(Operator operator, Node operand, int position) implements Node {
    enum Operator {
        NOT,
        NEGATE,
        NUMBER,
        TYPEOF
    }

    @Override
    public Object evaluate(Frame frame) {
        frame.meter().step();
        Object value = operand.evaluate(frame);
        return switch (operator) {
            case NOT -> JsonBoolean.of(!Coercion.truthy(value));
            case NEGATE -> Numbers.negate(Coercion.number(value, position));
            case NUMBER -> Coercion.number(value, position);
            case TYPEOF -> new JsonString(Kind.typeof(value));
        };
    }
}
