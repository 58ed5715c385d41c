package dev.flowstone.engine.task;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a handler answers. */
public sealed interface TaskResult {
    /**
     * It worked.
     *
     * @param links what it has made, or found, outside, and that there is once in a tenant
     */
    record Ok(JsonValue output, List<Link> links) implements TaskResult {
        public Ok(JsonValue output) {
            this(output, List.of());
        }

        public Ok {
            links = List.copyOf(links);
        }
    }

    /** A resource by its name in the tenant, and what others need to know of it. */
    record Link(String type, String key, JsonValue content) {}

    /** There was nothing to do. */
    record Skipped(String reason) implements TaskResult {}

    /** It failed, in this class. */
    record Failed(FailureClass failure, TaskError error, Optional<Duration> retryAfter) implements TaskResult {}

    static TaskResult ok(JsonValue output) {
        return new Ok(output);
    }

    static TaskResult ok(JsonValue output, Link... links) {
        return new Ok(output, List.of(links));
    }

    static TaskResult retryable(String code, String message) {
        return new Failed(FailureClass.RETRYABLE, TaskError.of(code, message), Optional.empty());
    }

    static TaskResult permanent(String code, String message) {
        return new Failed(FailureClass.PERMANENT, TaskError.of(code, message), Optional.empty());
    }
}
