package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * Which executions.
 *
 * @param startedSince those that began then or later
 * @param startedBefore those that began earlier
 */
public record ExecutionFilter(
        Optional<String> workflowId,
        Optional<ExecutionStatus> status,
        Optional<Instant> startedSince,
        Optional<Instant> startedBefore) {
    /** All. */
    public static final ExecutionFilter ALL =
            new ExecutionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public ExecutionFilter {
        requireNonNull(workflowId);
        requireNonNull(startedSince);
        requireNonNull(startedBefore);
        if (status.filter(it -> it == ExecutionStatus.UNKNOWN).isPresent()) {
            throw new IllegalArgumentException("a status that isn't known can't be looked for");
        }
    }

    public ExecutionFilter withWorkflow(String id) {
        return new ExecutionFilter(Optional.of(id), status, startedSince, startedBefore);
    }

    public ExecutionFilter withStatus(ExecutionStatus only) {
        return new ExecutionFilter(workflowId, Optional.of(only), startedSince, startedBefore);
    }

    public ExecutionFilter withStartedSince(Instant time) {
        return new ExecutionFilter(workflowId, status, Optional.of(time), startedBefore);
    }

    public ExecutionFilter withStartedBefore(Instant time) {
        return new ExecutionFilter(workflowId, status, startedSince, Optional.of(time));
    }

    Call.Query query() {
        return new Call.Query()
                .add("workflowId", workflowId)
                .add("status", status.map(ExecutionStatus::wire))
                .add("startedSince", startedSince)
                .add("startedBefore", startedBefore);
    }
}
