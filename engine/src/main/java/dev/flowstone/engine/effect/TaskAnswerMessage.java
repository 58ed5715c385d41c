package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A task's result from another process than its shard's owner, as an inbox message of kind {@value #KIND}.
 *
 * <pre>
 * {"activation": "pay#1", "attempt": 2, "result": "ok", "output": …, "links": [{"type", "key", "content"}]}
 * {"activation": "pay#1", "attempt": 2, "result": "skipped", "reason": "…"}
 * {"activation": "pay#1", "attempt": 2, "result": "failed", "class": "RETRYABLE",
 *  "code": "…", "message": "…", "details": {…}, "retryAfterMs": 500}
 * </pre>
 */
public record TaskAnswerMessage(ActivationId activation, int attempt, TaskResult result) {
    public static final String KIND = "task-answer";

    public TaskAnswerMessage {
        requireNonNull(activation);
        requireNonNull(result);
    }

    /** The message under its name for ever: (run, activation, attempt), so that a repetition is dropped. */
    public InboxMessage to(RunKey run, String source, Instant receivedAt) {
        InboxKey key = new InboxKey(run.tenant(), source, run.run() + "/" + activation + "/" + attempt);
        return new InboxMessage(key, run.run(), KIND, content(), receivedAt);
    }

    private JsonObject content() {
        JsonObject.Builder json =
                JsonObject.builder().put("activation", activation.toString()).put("attempt", attempt);
        switch (result) {
            case TaskResult.Ok ok -> LinksJson.put(json.put("result", "ok").put("output", ok.output()), ok.links());
            case TaskResult.Skipped skipped -> json.put("result", "skipped").put("reason", skipped.reason());
            case TaskResult.Failed failed -> {
                json.put("result", "failed")
                        .put("class", failed.failure().name())
                        .put("code", failed.error().code())
                        .put("message", failed.error().message())
                        .put("details", failed.error().details());
                failed.retryAfter().ifPresent(pause -> json.put("retryAfterMs", pause.toMillis()));
            }
        }
        return json.build();
    }

    /**
     * Reads what {@link #to} wrote.
     *
     * @throws IllegalArgumentException if the content isn't of this form
     */
    public static TaskAnswerMessage read(JsonObject content) {
        return new TaskAnswerMessage(
                ActivationId.parse(text(content, "activation")), (int) number(content, "attempt"), result(content));
    }

    private static TaskResult result(JsonObject content) {
        return switch (text(content, "result")) {
            case "ok" -> new TaskResult.Ok(member(content, "output"), LinksJson.read(content));
            case "skipped" -> new TaskResult.Skipped(text(content, "reason"));
            case "failed" ->
                new TaskResult.Failed(
                        FailureClass.valueOf(text(content, "class")),
                        new TaskError(text(content, "code"), text(content, "message"), details(content)),
                        content.find("retryAfterMs").map(v -> Duration.ofMillis(number(content, "retryAfterMs"))));
            default -> throw new IllegalArgumentException("a result is ok, skipped or failed");
        };
    }

    private static JsonObject details(JsonObject content) {
        return content.get("details") instanceof JsonObject details ? details : JsonObject.EMPTY;
    }

    private static String text(JsonObject content, String name) {
        if (content.get(name) instanceof JsonString text) {
            return text.value();
        }
        throw new IllegalArgumentException("a task's answer names its " + name);
    }

    private static long number(JsonObject content, String name) {
        if (content.get(name) instanceof JsonNumber number) {
            return number.decimalValue().longValueExact();
        }
        throw new IllegalArgumentException("a task's answer has a number " + name);
    }

    private static JsonValue member(JsonObject content, String name) {
        return Optional.ofNullable(content.get(name))
                .orElseThrow(() -> new IllegalArgumentException("a task's answer has its " + name));
    }
}
