package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.Correction;
import dev.flowstone.engine.mend.MendAnswer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A run is to be taken up again by its shard.
 *
 * @param correction of its rows, to be written first
 * @param answer completed by the shard's loop, or when it ends
 */
public record Reload(RunKey run, Optional<Correction> correction, CompletableFuture<MendAnswer> answer) {
    public Reload {
        requireNonNull(run);
        requireNonNull(correction);
        requireNonNull(answer);
    }
}
