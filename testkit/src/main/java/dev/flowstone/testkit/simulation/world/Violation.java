package dev.flowstone.testkit.simulation.world;

/** A rule that was broken. Not an exception of the engine's: it never passes through it. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String invariant;

    /**
     * A broken rule.
     *
     * @param invariant its number or name: {@code I3}
     * @param what happened, where
     */
    public Violation(String invariant, String what) {
        super(invariant + ": " + what);
        this.invariant = invariant;
    }

    public String invariant() {
        return invariant;
    }
}
