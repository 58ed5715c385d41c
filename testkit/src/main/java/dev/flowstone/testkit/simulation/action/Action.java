package dev.flowstone.testkit.simulation.action;

import dev.flowstone.testkit.simulation.world.Step;
import java.util.List;

/** What people, other processes and operators do. */
public sealed interface Action extends Step
        permits StartRun,
                RepeatStart,
                ReuseRequestId,
                RemoteAnswer,
                StaleAnswer,
                NonsenseAnswer,
                RollingRestart,
                ReserveTask,
                DecideTask,
                HandOverTask,
                ResolveTask,
                SendSignal,
                ChangeData,
                EditSubject,
                LinkFromOutside,
                HoldRun,
                HoldScope,
                ResumeRun,
                DrainRun,
                CancelRun,
                TerminateRun,
                RollBackRun,
                MoveRun,
                ResetRun,
                ResolveIncident,
                ForceTimer,
                AttestEffect {
    /** All of them. */
    List<Action> ALL = List.of(
            new StartRun(),
            new RepeatStart(),
            new ReuseRequestId(),
            new RemoteAnswer(),
            new StaleAnswer(),
            new NonsenseAnswer(),
            new RollingRestart(),
            new ReserveTask(),
            new DecideTask(),
            new HandOverTask(),
            new ResolveTask(),
            new SendSignal(),
            new ChangeData(),
            new EditSubject(),
            new LinkFromOutside(),
            new HoldRun(),
            new HoldScope(),
            new ResumeRun(),
            new DrainRun(),
            new CancelRun(),
            new TerminateRun(),
            new RollBackRun(),
            new MoveRun(),
            new ResetRun(),
            new ResolveIncident(),
            new ForceTimer(),
            new AttestEffect());
}
