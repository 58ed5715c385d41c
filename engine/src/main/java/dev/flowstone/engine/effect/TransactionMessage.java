package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * A transactional task's success, recorded with what it did, as an inbox message of kind {@value #KIND}:
 * {@code {"activation": "post#1", "attempt": 1, "output": …, "subjectVersion": 6}}.
 *
 * @param subjectVersion that it gave the subject; empty if that stayed as it was
 */
public record TransactionMessage(
        ActivationId activation, int attempt, TaskResult.Ok result, Optional<Long> subjectVersion) {
    public static final String KIND = "transaction";

    public TransactionMessage {
        requireNonNull(activation);
        requireNonNull(result);
        requireNonNull(subjectVersion);
    }

    public JsonObject content() {
        JsonObject.Builder out = JsonObject.builder()
                .put("activation", activation.toString())
                .put("attempt", attempt)
                .put("output", result.output())
                .putValueIfPresent("subjectVersion", subjectVersion.map(JsonNumber::of));
        return LinksJson.put(out, result.links()).build();
    }

    /**
     * Reads {@link #content}.
     *
     * @throws IllegalArgumentException if it isn't of this form
     */
    public static TransactionMessage read(JsonObject content) {
        JsonCursor at = JsonCursor.of(content);
        return new TransactionMessage(
                at.as("activation", ActivationId::parse),
                at.intValue("attempt"),
                new TaskResult.Ok(at.member("output").value(), LinksJson.read(content)),
                at.find("subjectVersion").map(JsonCursor::longValue));
    }
}
