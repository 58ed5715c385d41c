package dev.flowstone.kernel.decision;

/**
 * Bounds on how broad and how deep a run may get (kernel.md, "Bounds").
 *
 * @param liveActivations that wait for a result at once; beyond, incident {@code LIVE_ACTIVATIONS}
 * @param branches of one fork; one with more fails ({@code TOO_MANY_BRANCHES})
 * @param nesting of scopes around a branch; a fork deeper inside fails ({@code NESTED_TOO_DEEP})
 * @param resultBytes of all outputs in one join's result; what there is no room for shows as a note, in the order in which
 *     branches end
 */
public record ForkBounds(int liveActivations, int branches, int nesting, long resultBytes) {
    public static final ForkBounds DEFAULT = new ForkBounds(100_000, 100_000, 32, 4L << 20);
}
