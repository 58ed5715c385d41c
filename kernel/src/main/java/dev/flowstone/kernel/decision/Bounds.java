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
 * @param expressionBytesPerDecision counted bytes of all that they produce, temporary values included, by the same rule.
 *     The default is sixteen conditions, or two templates' results, that use all of their own budgets (4 and 32 MiB)
 * @param payloadBytes of one value that a decision itself makes and sets aside: a task's rendered input, which beyond it
 *     fails its node ({@code INPUT_TOO_LARGE}), and the output of a run with several ends, which then is a short note
 * @param contextBytes of a run's input and its nodes' newest results together. A result that would take them beyond is its
 *     node's permanent failure, a start that is beyond by itself is refused: {@code CONTEXT_TOO_LARGE}
 * @param variableBytes of all variables of a run together, names included
 * @param forks on branches
 * @param messages on what runs tell each other
 * @param control on what operators may do to a run
 * @param humans on whom a human task asks and who decides
 */
public record Bounds(
        int workPerDecision,
        int visitsWithoutWait,
        int eventBytes,
        int inlineBytes,
        int expressionStepsPerDecision,
        int expressionBytesPerDecision,
        int payloadBytes,
        int contextBytes,
        int variableBytes,
        ForkBounds forks,
        MessageBounds messages,
        ControlBounds control,
        HumanBounds humans) {
    public static final Bounds DEFAULT = new Bounds(1_000, 1_000, 1 << 20, 32 << 10, 5_000_000);

    /** These, and the defaults of the others. */
    public Bounds(
            int workPerDecision,
            int visitsWithoutWait,
            int eventBytes,
            int inlineBytes,
            int expressionStepsPerDecision) {
        this(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                64 << 20,
                16 << 20,
                10 << 20,
                256 << 10,
                ForkBounds.DEFAULT,
                MessageBounds.DEFAULT,
                ControlBounds.DEFAULT,
                HumanBounds.DEFAULT);
    }

    public Bounds withForks(ForkBounds branches) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                payloadBytes,
                contextBytes,
                variableBytes,
                branches,
                messages,
                control,
                humans);
    }

    public Bounds withMessages(MessageBounds other) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                payloadBytes,
                contextBytes,
                variableBytes,
                forks,
                other,
                control,
                humans);
    }

    public Bounds withExpressionBytes(int perDecision) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                perDecision,
                payloadBytes,
                contextBytes,
                variableBytes,
                forks,
                messages,
                control,
                humans);
    }

    public Bounds withPayloadBytes(int bytes) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                bytes,
                contextBytes,
                variableBytes,
                forks,
                messages,
                control,
                humans);
    }

    public Bounds withContextBytes(int bytes) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                payloadBytes,
                bytes,
                variableBytes,
                forks,
                messages,
                control,
                humans);
    }

    public Bounds withVariableBytes(int bytes) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                payloadBytes,
                contextBytes,
                bytes,
                forks,
                messages,
                control,
                humans);
    }

    public Bounds withControl(ControlBounds held) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                payloadBytes,
                contextBytes,
                variableBytes,
                forks,
                messages,
                held,
                humans);
    }

    public Bounds withHumans(HumanBounds people) {
        return new Bounds(
                workPerDecision,
                visitsWithoutWait,
                eventBytes,
                inlineBytes,
                expressionStepsPerDecision,
                expressionBytesPerDecision,
                payloadBytes,
                contextBytes,
                variableBytes,
                forks,
                messages,
                control,
                people);
    }
}
