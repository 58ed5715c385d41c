package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * Which tasks of people.
 *
 * @param assignee {@code user:ID} or {@code role:NAME}
 * @param claimedBy {@code user:ID}
 * @param dueBefore those that are due earlier
 */
public record TaskFilter(
        Optional<String> assignee,
        Optional<String> claimedBy,
        Optional<String> workflowId,
        Optional<Instant> dueBefore) {
    /** All. */
    public static final TaskFilter ALL =
            new TaskFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public TaskFilter {
        requireNonNull(assignee);
        requireNonNull(claimedBy);
        requireNonNull(workflowId);
        requireNonNull(dueBefore);
    }

    public TaskFilter withAssignee(String who) {
        return new TaskFilter(Optional.of(who), claimedBy, workflowId, dueBefore);
    }

    public TaskFilter withClaimedBy(String who) {
        return new TaskFilter(assignee, Optional.of(who), workflowId, dueBefore);
    }

    public TaskFilter withWorkflow(String id) {
        return new TaskFilter(assignee, claimedBy, Optional.of(id), dueBefore);
    }

    public TaskFilter withDueBefore(Instant time) {
        return new TaskFilter(assignee, claimedBy, workflowId, Optional.of(time));
    }

    Call.Query query() {
        return new Call.Query()
                .add("assignee", assignee)
                .add("claimedBy", claimedBy)
                .add("workflowId", workflowId)
                .add("dueBefore", dueBefore);
    }
}
