package dev.flowstone.engine.action;

import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** {@code core.fail}. */
final class Fail implements TaskHandler {
    @Override
    public TaskResult handle(TaskCall call) {
        Parameters parameters = new Parameters(call.input());
        Optional<FailureClass> failure = failureClass(parameters.text("class").orElse("permanent"));
        if (failure.isEmpty()) {
            return TaskResult.permanent(
                    "INVALID_PARAMETER", "class is one of retryable, permanent, policy_denied, external_limit");
        }
        TaskError error = TaskError.of(
                parameters.text("code").orElse("FAILED"),
                parameters.text("message").orElse("core.fail fails, as it was told to"));
        return new TaskResult.Failed(
                failure.get(), error, parameters.count("retryAfterMs").map(Duration::ofMillis));
    }

    private static Optional<FailureClass> failureClass(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "retryable" -> Optional.of(FailureClass.RETRYABLE);
            case "permanent" -> Optional.of(FailureClass.PERMANENT);
            case "policy_denied" -> Optional.of(FailureClass.POLICY_DENIED);
            case "external_limit" -> Optional.of(FailureClass.EXTERNAL_LIMIT);
            default -> Optional.empty();
        };
    }
}
