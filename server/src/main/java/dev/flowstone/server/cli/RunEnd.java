package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Payloads;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * How a run stands after the last event that was told, whether it was read from a database or from a server.
 *
 * @param status of the JSON DAG contract
 * @param took empty while it goes on
 * @param error {@code code}, {@code message} and {@code details}
 */
record RunEnd(
        String run,
        String workflow,
        long version,
        String status,
        Optional<Duration> took,
        Optional<JsonValue> output,
        Optional<JsonObject> error,
        Optional<String> failedNode,
        long lastSequence) {

    static RunEnd of(Execution execution, Payloads payloads) {
        return new RunEnd(
                execution.row().key().run().toString(),
                execution.row().workflow().value(),
                execution.row().version(),
                ExecutionStatus.of(execution.row().status()).toString(),
                execution
                        .row()
                        .endedAt()
                        .map(end -> Duration.between(execution.row().startedAt(), end)),
                execution.output().map(payloads::value),
                execution
                        .error()
                        .map(error -> JsonObject.builder()
                                .put("code", error.code())
                                .put("message", error.message())
                                .put("details", error.details())
                                .build()),
                execution.failedNode(),
                execution.row().lastSequence());
    }

    /** Of what {@code GET /executions/{id}} answered. */
    static RunEnd of(JsonObject execution) {
        return new RunEnd(
                AnswerText.cell(execution.find("executionId")),
                AnswerText.cell(execution.find("workflowId")),
                AnswerText.number(execution, "workflowVersion"),
                AnswerText.cell(execution.find("status")),
                took(execution),
                execution.find("output").filter(it -> it != JsonNull.NULL),
                execution.find("error").filter(JsonObject.class::isInstance).map(JsonObject.class::cast),
                Optional.of(AnswerText.cell(execution.find("errorNode"))).filter(it -> !it.isEmpty()),
                AnswerText.number(execution, "lastSeq"));
    }

    private static Optional<Duration> took(JsonObject execution) {
        try {
            return Optional.of(Duration.between(
                    Instant.parse(AnswerText.cell(execution.find("startTime"))),
                    Instant.parse(AnswerText.cell(execution.find("endTime")))));
        } catch (DateTimeParseException e) {
            // It goes on.
            return Optional.empty();
        }
    }

    boolean succeeded() {
        return status.equals(ExecutionStatus.SUCCEEDED.toString());
    }

    boolean isOver() {
        return !status.equals(ExecutionStatus.RUNNING.toString()) && !status.equals(ExecutionStatus.PENDING.toString());
    }
}
