package dev.flowstone.engine.limit;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attempts of one class that begin in the order in which they came, all within the same limits. Guarded by its {@link Gates}. */
public abstract class Line {
    final WorkClass workClass;
    final List<Gate> gates;

    /** Where it waits; null if it doesn't, for nothing in it could begin anyway. */
    @Nullable
    Gate at;

    /**
     * An empty one.
     *
     * @param gates from the narrowest to the widest
     */
    protected Line(WorkClass workClass, List<Gate> gates) {
        this.workClass = requireNonNull(workClass);
        this.gates = List.copyOf(gates);
    }

    /** Whether its first could begin at once, but for its limits. */
    protected abstract boolean isReady();

    /**
     * Takes its first out and begins it.
     *
     * @param permit to be ended by {@link Gates#end} when it is over
     * @return false if nobody wanted that one any more: the permit is nothing then
     */
    protected abstract boolean begin(Permit permit);

    /** How many may go on at once at most. */
    public final int most() {
        return Gates.most(gates);
    }
}
