package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A human task that is open, for lists: what its run's state says, as of the commit that wrote it.
 *
 * @param assignees who may decide now, as {@code user:ID} or {@code role:NAME}; not those whose turn comes later
 * @param claimedBy who works on it
 * @param content what else a list shows
 */
public record HumanTaskRow(
        ActivationId activation,
        Instant openedAt,
        List<String> assignees,
        Optional<String> claimedBy,
        Optional<Instant> dueAt,
        JsonObject content) {
    public HumanTaskRow {
        requireNonNull(activation);
        requireNonNull(openedAt);
        assignees = List.copyOf(assignees);
        requireNonNull(claimedBy);
        requireNonNull(dueAt);
        requireNonNull(content);
    }
}
