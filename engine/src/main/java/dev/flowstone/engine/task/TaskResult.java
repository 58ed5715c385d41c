package dev.flowstone.engine.task;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/** What a handler answers. */
public sealed interface TaskResult {
    /** It worked. */
    record Ok(JsonValue output) implements TaskResult {}

    /** There was nothing to do. */
    record Skipped(String reason) implements TaskResult {}

    /** It failed, in this class. */
    record Failed(FailureClass failure, TaskError error, Optional<Duration> retryAfter) implements TaskResult {}

    static TaskResult ok(JsonValue output) {
        return new Ok(output);
    }

    static TaskResult retryable(String code, String message) {
        return new Failed(FailureClass.RETRYABLE, TaskError.of(code, message), Optional.empty());
    }

    static TaskResult permanent(String code, String message) {
        return new Failed(FailureClass.PERMANENT, TaskError.of(code, message), Optional.empty());
    }
}
