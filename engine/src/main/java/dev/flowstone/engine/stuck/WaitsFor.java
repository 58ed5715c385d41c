package dev.flowstone.engine.stuck;

import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.OpenAwait;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.RunState;
import java.util.EnumSet;
import java.util.Set;

/** What can move a run: as long as it waits for any of these, it isn't lost (I8). */
public enum WaitsFor {
    /** An attempt's answer; also a transaction's, for which the run is checked out. */
    ATTEMPT,
    /** Its own turn, to go on with what is left. */
    CONTINUATION,
    TIMER,
    HUMAN_TASK,
    SIGNAL,
    PERMIT,
    /** A child that it called and that hasn't ended. */
    CHILD,
    /** An operator who decides about an incident. */
    INCIDENT,
    /** A person who says what became of something that can't be undone. */
    ATTESTATION,
    /** An operator who resumes it. */
    RESUME;

    /** Everything that it waits for; nothing of a run that is over. Pure. */
    public static Set<WaitsFor> of(RunState state) {
        Set<WaitsFor> all = EnumSet.noneOf(WaitsFor.class);
        add(all, ATTEMPT, state.hasOpenAttempts());
        add(all, CONTINUATION, state.continues());
        add(all, TIMER, !state.timers().isEmpty());
        add(all, HUMAN_TASK, !state.humanTasks().isEmpty());
        add(all, SIGNAL, state.awaits().stream().anyMatch(await -> !await.permit()));
        add(all, PERMIT, state.awaits().stream().anyMatch(OpenAwait::permit));
        add(all, CHILD, state.children().stream().anyMatch(OpenChild::awaited));
        add(all, INCIDENT, !state.incidents().isEmpty());
        add(all, ATTESTATION, !state.attestations().isEmpty());
        add(all, RESUME, state.hold() == Hold.SUSPENDED);
        return all;
    }

    private static void add(Set<WaitsFor> all, WaitsFor what, boolean does) {
        if (does) {
            all.add(what);
        }
    }
}
