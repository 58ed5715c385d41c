package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.state.RunState;
import java.util.Optional;

/**
 * What a stored run folds to.
 *
 * @param lastSequence as its row says
 * @param state empty if it can't be folded
 * @param fault why not
 */
public record StoredState(long lastSequence, Optional<RunState> state, String fault) {
    public StoredState {
        requireNonNull(state);
        requireNonNull(fault);
    }
}
