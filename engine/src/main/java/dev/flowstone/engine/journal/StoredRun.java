package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Optional;

/**
 * What a run's state is rebuilt from: the newest snapshot, if there is one, and the entries after it.
 *
 * @param lastSequence of the run's row
 * @param lastHash of the run's row; the tail must end in it
 */
public record StoredRun(
        RunKey key,
        WorkflowId workflow,
        int version,
        Sha256 program,
        long lastSequence,
        Sha256 lastHash,
        Optional<Snapshot> snapshot,
        List<StoredEntry> tail) {
    public StoredRun {
        tail = List.copyOf(tail);
    }
}
