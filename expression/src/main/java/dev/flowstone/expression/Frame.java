package dev.flowstone.expression;

import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** One evaluation under way: where names are looked up, what is left of the budget, what was read. */
final class Frame {
    private static final Object[] NO_LOCALS = {};

    private final Roots roots;
    private final Meter meter;
    private final Reads reads;
    private final Object[] locals;

    Frame(Roots roots, Meter meter, Reads reads, int locals) {
        this.roots = roots;
        this.meter = meter;
        this.reads = reads;
        this.locals = locals == 0 ? NO_LOCALS : new Object[locals];
    }

    Meter meter() {
        return meter;
    }

    Reads reads() {
        return reads;
    }

    Object local(int slot) {
        return locals[slot];
    }

    void local(int slot, Object value) {
        locals[slot] = value;
    }

    JsonValue root(String name, int position) {
        @Nullable JsonValue value = roots.root(name);
        if (value == null) {
            throw new Fault(Fault.Code.UNKNOWN_NAME, "There is no " + Fault.quote(name) + " to begin with.", position);
        }
        return value;
    }
}
