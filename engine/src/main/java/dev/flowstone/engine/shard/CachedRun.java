package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;

/**
 * A committed state, and how much log there is since its last snapshot.
 *
 * @param programs that the state's next decisions may move it to
 * @param snapshotSequence of the last snapshot; 0 if there is none
 * @param snapshotBytes length of the last snapshot
 * @param tailBytes logged since
 */
record CachedRun(RunState state, RunPrograms programs, long snapshotSequence, long snapshotBytes, long tailBytes) {
    CachedRun {
        requireNonNull(state);
        requireNonNull(programs);
    }

    /** A run without events. */
    static CachedRun fresh(Program program, Sha256 hash) {
        RunPrograms programs = new RunPrograms();
        return new CachedRun(Kernel.initial(programs, program, hash), programs, 0, 0, 0);
    }

    long tailEvents() {
        return state.lastSequence() - snapshotSequence;
    }
}
