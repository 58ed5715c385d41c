package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.mend.Projection;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.state.RunState;
import java.util.List;
import java.util.Optional;

/** The rows that a state has beside its log: what commits write piece by piece, all at once. Pure. */
public final class Projected {
    private Projected() {}

    /** Whether a run must be loaded when its shard changes hands. */
    public static boolean isAwake(RunState state) {
        return state.continues() || state.hasOpenAttempts();
    }

    public static Projection of(RunState state) {
        RunKey key = new RunKey(state.tenant(), state.run());
        List<TimerRow> timers = state.timers().stream()
                .map(timer -> new TimerRow(key, timer.timer(), timer.generation(), timer.dueAt()))
                .toList();
        List<HumanTaskRow> tasks = state.humanTasks().stream()
                .flatMap(open -> HumanTasks.row(state, open.task().activation()).stream())
                .toList();
        return new Projection(
                key,
                state.program().workflow(),
                state.lastSequence(),
                state.status(),
                isAwake(state),
                state.status().isFinal() ? Optional.of(state.lastEventTime()) : Optional.empty(),
                timers,
                tasks,
                Optional.of(new Snapshot(state.lastSequence(), CanonicalJson.exact(Kernel.snapshot(state)))));
    }
}
