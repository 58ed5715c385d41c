package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonValue;
import java.util.List;

/** The evaluated arguments of one call, with what is needed to take them as another kind of value. */
final class Arguments {
    private static final Object[] NONE = {};

    private final Object[] values;
    private final Meter meter;
    private final int position;

    private Arguments(Object[] values, Meter meter, int position) {
        this.values = values;
        this.meter = meter;
        this.position = position;
    }

    static Arguments evaluate(List<Node> nodes, Frame frame, int position) {
        Object[] values = nodes.isEmpty() ? NONE : new Object[nodes.size()];
        for (int i = 0; i < nodes.size(); i++) {
            values[i] = nodes.get(i).evaluate(frame);
        }
        return new Arguments(values, frame.meter(), position);
    }

    Meter meter() {
        return meter;
    }

    int position() {
        return position;
    }

    int count() {
        return values.length;
    }

    Object value(int at) {
        return at < values.length ? values[at] : Undefined.UNDEFINED;
    }

    boolean isGiven(int at) {
        return value(at) != Undefined.UNDEFINED;
    }

    String text(int at) {
        return Coercion.text(value(at), meter, position);
    }

    JsonValue element(int at) {
        return Coercion.element(value(at), position);
    }

    int integer(int at, int otherwise) {
        return isGiven(at) ? Coercion.integer(value(at), position) : otherwise;
    }

    /** An index from 0 to {@code length}; one below 0 counts from the end, as in {@code slice}. */
    int relative(int at, int length, int otherwise) {
        int index = integer(at, otherwise);
        return index < 0 ? Math.max(0, index + length) : Math.min(index, length);
    }

    /** An index from 0 to {@code length}, as in {@code substring}. */
    int clamped(int at, int length, int otherwise) {
        return Math.clamp(integer(at, otherwise), 0, length);
    }
}
