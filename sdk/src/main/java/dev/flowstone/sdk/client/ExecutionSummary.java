package dev.flowstone.sdk.client;

import java.time.Instant;
import java.util.Optional;

/**
 * What a list tells of an execution.
 *
 * @param workflowVersion 0 where a draft runs
 * @param lastSequence number of its last event
 * @param parentExecutionId the execution that called it
 */
public record ExecutionSummary(
        String executionId,
        String workflowId,
        int workflowVersion,
        ExecutionStatus status,
        String correlationId,
        Instant startTime,
        Optional<Instant> endTime,
        long lastSequence,
        Optional<String> parentExecutionId,
        Optional<Subject> subject) {
    static ExecutionSummary read(Tree tree) {
        return new ExecutionSummary(
                tree.text("executionId"),
                tree.textOrEmpty("workflowId"),
                tree.count("workflowVersion"),
                tree.word("status", ExecutionStatus.class, ExecutionStatus.UNKNOWN),
                tree.textOrEmpty("correlationId"),
                tree.time("startTime"),
                tree.maybeTime("endTime"),
                tree.number("lastSeq"),
                tree.maybeText("parentExecutionId"),
                tree.maybe("subject").map(Subject::read));
    }
}
