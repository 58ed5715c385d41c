package dev.flowstone.kernel.decision;

/**
 * Bounds on one decision and one run (kernel.md, "Bounds"); all configurable.
 *
 * @param workPerDecision openings and routings in one decision; at the bound it continues in another (R4)
 * @param visitsWithoutWait automatic visits of one node without a wait between; beyond, incident {@code RUNAWAY_LOOP}
 * @param eventBytes of one stored event
 * @param inlineBytes of one value in an event; a larger one goes to the payload store
 */
public record Bounds(int workPerDecision, int visitsWithoutWait, int eventBytes, int inlineBytes) {
    public static final Bounds DEFAULT = new Bounds(1_000, 1_000, 1 << 20, 32 << 10);
}
