package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.state.RunState;

/**
 * A committed state, and how much log there is since its last snapshot.
 *
 * @param snapshotSequence of the last snapshot; 0 if there is none
 * @param snapshotBytes length of the last snapshot
 * @param tailBytes logged since
 */
record CachedRun(RunState state, long snapshotSequence, long snapshotBytes, long tailBytes) {
    CachedRun {
        requireNonNull(state);
    }

    /** A run without events. */
    static CachedRun fresh(RunState initial) {
        return new CachedRun(initial, 0, 0, 0);
    }

    long tailEvents() {
        return state.lastSequence() - snapshotSequence;
    }
}
