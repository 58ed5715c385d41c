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
        Copy copy = new Copy(this);
        copy.forks = branches;
        return copy.made();
    }

    public Bounds withMessages(MessageBounds other) {
        Copy copy = new Copy(this);
        copy.messages = other;
        return copy.made();
    }

    public Bounds withExpressionBytes(int perDecision) {
        Copy copy = new Copy(this);
        copy.expressionBytesPerDecision = perDecision;
        return copy.made();
    }

    public Bounds withPayloadBytes(int bytes) {
        Copy copy = new Copy(this);
        copy.payloadBytes = bytes;
        return copy.made();
    }

    public Bounds withContextBytes(int bytes) {
        Copy copy = new Copy(this);
        copy.contextBytes = bytes;
        return copy.made();
    }

    public Bounds withVariableBytes(int bytes) {
        Copy copy = new Copy(this);
        copy.variableBytes = bytes;
        return copy.made();
    }

    public Bounds withControl(ControlBounds held) {
        Copy copy = new Copy(this);
        copy.control = held;
        return copy.made();
    }

    public Bounds withHumans(HumanBounds people) {
        Copy copy = new Copy(this);
        copy.humans = people;
        return copy.made();
    }

    /** All of it, to be changed in one place. */
    private static final class Copy {
        int workPerDecision;
        int visitsWithoutWait;
        int eventBytes;
        int inlineBytes;
        int expressionStepsPerDecision;
        int expressionBytesPerDecision;
        int payloadBytes;
        int contextBytes;
        int variableBytes;
        ForkBounds forks;
        MessageBounds messages;
        ControlBounds control;
        HumanBounds humans;

        Copy(Bounds from) {
            this.workPerDecision = from.workPerDecision;
            this.visitsWithoutWait = from.visitsWithoutWait;
            this.eventBytes = from.eventBytes;
            this.inlineBytes = from.inlineBytes;
            this.expressionStepsPerDecision = from.expressionStepsPerDecision;
            this.expressionBytesPerDecision = from.expressionBytesPerDecision;
            this.payloadBytes = from.payloadBytes;
            this.contextBytes = from.contextBytes;
            this.variableBytes = from.variableBytes;
            this.forks = from.forks;
            this.messages = from.messages;
            this.control = from.control;
            this.humans = from.humans;
        }

        Bounds made() {
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
                    humans);
        }
    }
}
