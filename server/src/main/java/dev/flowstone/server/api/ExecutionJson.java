package dev.flowstone.server.api;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.server.execution.Action;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Payloads;
import dev.flowstone.server.execution.Resource;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Executions as REST shows them. */
final class ExecutionJson {
    static final String ROOT = "/api/v1/executions";
    private static final Actor SYSTEM = new Actor("user", "system");

    private ExecutionJson() {}

    static JsonObject.Builder row(RunRow row) {
        return JsonObject.builder()
                .put("executionId", row.key().run().toString())
                .put("workflowId", row.workflow().value())
                .put("workflowVersion", row.version())
                .put("status", ExecutionStatus.of(row.status()).toString())
                .put("tenantId", row.key().tenant().value())
                .put("correlationId", row.correlation())
                .put("startTime", row.startedAt().toString())
                .put("endTime", time(row.endedAt()))
                .put("lastSeq", row.lastSequence());
    }

    static JsonObject.Builder execution(Execution execution, Payloads payloads) {
        JsonObject.Builder json = row(execution.row())
                .put("programHash", execution.row().program().toString())
                .put("startedBy", execution.startedBy().toString())
                .put("principal", principal(execution.startedBy(), execution.requested()))
                .put("priority", number(execution.requested().priority()))
                .put("requestId", requestId(execution))
                .put(
                        "resetFrom",
                        execution
                                .resetFrom()
                                .<JsonValue>map(from -> JsonObject.builder()
                                        .put("executionId", from.run().toString())
                                        .put("sequence", from.sequence())
                                        .build())
                                .orElse(JsonNull.NULL))
                .put("output", value(execution.output(), payloads))
                .put(
                        "error",
                        execution.error().<JsonValue>map(ExecutionJson::error).orElse(JsonNull.NULL))
                .put("errorNode", text(execution.failedNode()));
        for (Map.Entry<String, Payload> input : execution.input().entrySet()) {
            json.put(input.getKey(), payloads.value(input.getValue()));
        }
        return json;
    }

    /** As it was sent; where none was, its own id, which nobody could repeat a start by (ADR 36). */
    private static String requestId(Execution execution) {
        return execution.requestId().orElseGet(() -> execution.row().key().run().toString());
    }

    /** What holds it, itself or by its scope; null if nothing does. */
    static JsonValue hold(RunState state) {
        return state.suspension()
                .<JsonValue>map(held -> JsonObject.builder()
                        .put("mode", held.hold().name().toLowerCase(Locale.ROOT))
                        .put("scope", held.scope())
                        .put("reason", held.reason())
                        .build())
                .orElse(JsonNull.NULL);
    }

    /** Who called an execution; null if a caller from outside did. */
    static JsonValue parent(Optional<RunId> parent) {
        return text(parent.map(RunId::toString));
    }

    static JsonObject.Builder action(Action action, Payloads payloads) {
        return JsonObject.builder()
                .put("nodeId", action.nodeId())
                .put("visit", action.visit())
                .put("actionType", action.actionType())
                .put("status", action.status().toString())
                .put("attempt", action.attempt())
                .put("retryCount", Math.max(0, action.attempt() - 1))
                .put("parameters", value(action.parameters(), payloads))
                .put("outputs", value(action.outputs(), payloads))
                .put(
                        "error",
                        action.error().<JsonValue>map(ExecutionJson::error).orElse(JsonNull.NULL))
                .put("startTime", time(action.startTime()))
                .put("endTime", time(action.endTime()));
    }

    /** Something outside that an execution has linked; {@code owned} is null until it is settled whose it is. */
    static JsonObject resource(Resource resource, RunId run, Payloads payloads) {
        return JsonObject.builder()
                .put("type", resource.type())
                .put("key", resource.key())
                .put("nodeId", resource.activation().node().value())
                .put("activation", resource.activation().toString())
                .put("attempt", resource.attempt())
                .put(
                        "owned",
                        resource.owner()
                                .<JsonValue>map(owner -> JsonBoolean.of(owner.equals(run)))
                                .orElse(JsonNull.NULL))
                .put("executionId", text(resource.owner().map(RunId::toString)))
                .put("content", payloads.value(resource.content()))
                .put("linkedAt", resource.linkedAt().toString())
                .build();
    }

    /** What a start answers. */
    static JsonObject started(String id, ExecutionStatus status) {
        return JsonObject.builder()
                .put("executionId", id)
                .put("status", status.toString())
                .put("statusUrl", ROOT + "/" + id)
                .build();
    }

    /** The requester (dataflow.md §12.5.1); the one that stands in where none was named has a name too. */
    private static JsonObject principal(Actor actor, Requested requested) {
        Optional<String> name =
                requested.displayName().or(() -> actor.equals(SYSTEM) ? Optional.of("System") : Optional.empty());
        return JsonObject.builder()
                .put("userId", actor.id())
                .put("displayName", text(name))
                .put("email", text(requested.email()))
                .build();
    }

    /**
     * What an execution is about.
     *
     * @param known the subject's version that the execution knows by now, where that is told
     */
    static JsonValue subject(Optional<SubjectBinding> subject, Optional<Long> known) {
        return subject.<JsonValue>map(it -> {
                    JsonObject.Builder json = JsonObject.builder()
                            .put("kind", it.subject().kind())
                            .put("id", it.subject().id())
                            .put("version", it.version())
                            .put("exclusive", it.exclusive());
                    known.ifPresent(version -> json.put("knownVersion", version));
                    return json.build();
                })
                .orElse(JsonNull.NULL);
    }

    private static JsonValue number(Optional<Integer> number) {
        return number.<JsonValue>map(JsonNumber::of).orElse(JsonNull.NULL);
    }

    private static JsonObject error(TaskError error) {
        return JsonObject.builder()
                .put("code", error.code())
                .put("message", error.message())
                .put("details", error.details())
                .build();
    }

    private static JsonValue value(Optional<Payload> payload, Payloads payloads) {
        return payload.map(payloads::value).orElse(JsonNull.NULL);
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static JsonValue time(Optional<Instant> time) {
        return text(time.map(Instant::toString));
    }
}
