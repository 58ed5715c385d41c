package dev.flowstone.kernel.decision;

/**
 * Bounds on one decision and one run (kernel.md, "Bounds"); all configurable.
 *
 * @param workPerDecision openings and routings in one decision; at the bound it continues in another (R4)
 * @param visitsWithoutWait automatic visits of one node without a wait between; beyond, incident {@code RUNAWAY_LOOP}
 * @param eventBytes of one stored event
 * @param inlineBytes of one value in an event; a larger one goes to the payload store
 * @param expressionStepsPerDecision counted steps of all conditions and templates in one decision (R3). Once they are used
 *     up, the decision ends before the next item of its work list and continues in another (R4), which changes no
 *     outcome. Only one node's own conditions may use up as many by themselves: they are counted from that node's first
 *     one, whatever the decision did before, and each further one counts as false, with error {@code BUDGET_DECISION}. A
 *     template never fails for it: an item renders one at most, which has its own budget. One decision therefore takes
 *     fewer than twice as many steps, and one expression's or template's more. The default is fifty conditions, or five
 *     templates, that use all of their own budgets (100,000 and 1,000,000 steps)
 * @param bufferedInputs that a suspended run holds; one more is refused (R25)
 * @param inputsPerDecision of those, decided in one decision after it is resumed
 */
public record Bounds(
        int workPerDecision,
        int visitsWithoutWait,
        int eventBytes,
        int inlineBytes,
        int expressionStepsPerDecision,
        int bufferedInputs,
        int inputsPerDecision) {
    public static final Bounds DEFAULT = new Bounds(1_000, 1_000, 1 << 20, 32 << 10, 5_000_000);

    /** With the default bounds of what a suspended run holds. */
    public Bounds(
            int workPerDecision,
            int visitsWithoutWait,
            int eventBytes,
            int inlineBytes,
            int expressionStepsPerDecision) {
        this(workPerDecision, visitsWithoutWait, eventBytes, inlineBytes, expressionStepsPerDecision, 10_000, 100);
    }
}
