package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Step;
import java.util.List;

/**
 * What goes wrong. Some happen at once, others lie in wait for a node's next commit, read or handler; each is counted when it
 * strikes, by {@link dev.flowstone.testkit.simulation.world.World#struck}.
 */
public sealed interface Fault extends Step
        permits Crash,
                CrashBeforeCommit,
                CrashAfterCommit,
                CommitRefused,
                CommitLostBefore,
                CommitLostAfter,
                StalledCommit,
                ReadFails,
                ProgramReadFails,
                PolicyReadFails,
                EvaluatorMissing,
                LeaseCallFails,
                Pause,
                ClockSkew,
                ClockJump,
                TimerStorm,
                SlowHandler,
                DyingHandler,
                WorkerDies,
                UnstorableOutput,
                UnstorableStart,
                DuplicatedMessage,
                DelayedMessage,
                ReorderedMessages,
                DelayedLetter,
                DuplicatedLetter,
                LostLetter,
                UnansweredLetter,
                RacingEdit,
                TransactionFails,
                TransactionLostBefore,
                TransactionLostAfter {
    /** All of them. */
    List<Fault> ALL = List.of(
            new Crash(),
            new CrashBeforeCommit(),
            new CrashAfterCommit(),
            new CommitRefused(),
            new CommitLostBefore(),
            new CommitLostAfter(),
            new StalledCommit(),
            new ReadFails(),
            new ProgramReadFails(),
            new PolicyReadFails(),
            new EvaluatorMissing(),
            new LeaseCallFails(),
            new Pause(),
            new ClockSkew(),
            new ClockJump(),
            new TimerStorm(),
            new SlowHandler(),
            new DyingHandler(),
            new WorkerDies(),
            new UnstorableOutput(),
            new UnstorableStart(),
            new DuplicatedMessage(),
            new DelayedMessage(),
            new ReorderedMessages(),
            new DelayedLetter(),
            new DuplicatedLetter(),
            new LostLetter(),
            new UnansweredLetter(),
            new RacingEdit(),
            new TransactionFails(),
            new TransactionLostBefore(),
            new TransactionLostAfter());
}
