package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One attempt as the server has handed it out. */
record Offer(
        String executionId,
        String workflowId,
        String activation,
        int attempt,
        String action,
        JsonNode input,
        String key,
        String correlation,
        Duration timeout,
        String lease) {
    Offer {
        requireNonNull(executionId);
        requireNonNull(workflowId);
        requireNonNull(activation);
        requireNonNull(action);
        requireNonNull(input);
        requireNonNull(key);
        requireNonNull(correlation);
        requireNonNull(timeout);
        requireNonNull(lease);
    }

    /** Empty if it isn't whole: its lease will run out. */
    static Optional<Offer> read(JsonNode task) {
        boolean whole = task.path("executionId").isString()
                && task.path("activation").isString()
                && task.path("attempt").isInt()
                && task.path("action").isString()
                && task.path("lease").isString()
                && task.has("input");
        return whole
                ? Optional.of(new Offer(
                        task.path("executionId").asString(),
                        task.path("workflowId").asString(""),
                        task.path("activation").asString(),
                        task.path("attempt").asInt(),
                        task.path("action").asString(),
                        task.path("input"),
                        task.path("key").asString(""),
                        task.path("correlation").asString(""),
                        Duration.ofMillis(task.path("timeoutMillis").asLong(Long.MAX_VALUE)),
                        task.path("lease").asString()))
                : Optional.empty();
    }

    /** Its name, for an answer or a heartbeat. */
    ObjectNode named(JsonMapper json) {
        return json.createObjectNode()
                .put("executionId", executionId)
                .put("activation", activation)
                .put("attempt", attempt);
    }
}
