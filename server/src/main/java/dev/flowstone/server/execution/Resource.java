package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.payload.Payload;
import java.time.Instant;
import java.util.Optional;

/**
 * Something outside that a run has linked (dataflow.md §3.1).
 *
 * @param sequence of the event that linked it first
 * @param activation whose attempt did
 * @param owner whose it is, this run or the one that was first; empty until that is settled
 * @param content that it was linked with; the owner's, once that is settled
 */
public record Resource(
        long sequence,
        ActivationId activation,
        int attempt,
        String type,
        String key,
        Optional<RunId> owner,
        Payload content,
        Instant linkedAt) {
    public Resource {
        requireNonNull(activation);
        requireNonNull(type);
        requireNonNull(key);
        requireNonNull(owner);
        requireNonNull(content);
        requireNonNull(linkedAt);
    }

    Resource settled(RunId whose, Payload ownersContent) {
        return new Resource(sequence, activation, attempt, type, key, Optional.of(whose), ownersContent, linkedAt);
    }
}
