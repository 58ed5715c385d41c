package dev.flowstone.engine.read;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.Optional;

/** A run at a glance. */
public record RunRow(
        RunKey key,
        WorkflowId workflow,
        int version,
        Sha256 program,
        String correlation,
        RunStatus status,
        long lastSequence,
        Sha256 lastHash,
        Instant startedAt,
        Instant updatedAt,
        Optional<Instant> endedAt) {}
