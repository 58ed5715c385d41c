package dev.flowstone.testkit.simulation.invariant;

import java.util.List;

/** Every rule. */
public final class Invariants {
    private Invariants() {}

    /** All of them, knowing nothing yet. */
    public static List<Invariant> fresh() {
        return List.of(
                new FoldIsLiveState(),
                new RowTellsTheLog(),
                new FinalRunHoldsNothing(),
                new HumanTasksAreListed(),
                new ActivationSettlesOnce(),
                new UndoneInReverse(),
                new EffectHasOneCause(),
                new SomethingWakesIt(),
                new EveryNodeSettles(),
                new AnsweredIsLogged(),
                new QuotaIsKept(),
                new TimeNeverGoesBack(),
                new AttemptsAreCounted(),
                new MessageIsConsumedOnce(),
                new JoinFiresOnce(),
                new PermitsWithinLimit(),
                new DecisionAppliedOnce(),
                new SignalGoesToOne(),
                new ResourceHasOneOwner(),
                new SubjectsAreKept(),
                new ChildSettlesOnce(),
                new CallIsLogged(),
                new BufferedInputIsTaken(),
                new ResetIsLogged());
    }
}
