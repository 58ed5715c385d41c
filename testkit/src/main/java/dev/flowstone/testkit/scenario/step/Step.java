package dev.flowstone.testkit.scenario.step;

/** One entry of {@code when}. */
public sealed interface Step permits Advance, Ask, ClockMove, Edit, Expect, HoldScope, PublishPolicy, Reset, Restart {
    /** Does it; time has not moved since the step before. */
    void perform(Stage stage) throws StepException;
}
