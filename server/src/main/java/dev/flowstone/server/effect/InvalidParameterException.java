package dev.flowstone.server.effect;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import java.util.Optional;

/** A parameter that can't be used, and where it stands. */
final class InvalidParameterException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;

    /** @param message what is wrong and what to do, without the parameter's value */
    InvalidParameterException(JsonPointer at, String message) {
        super(message);
        this.path = at.toString();
    }

    TaskResult result() {
        return result(path, String.valueOf(getMessage()));
    }

    /** What a run is told of it. */
    static TaskResult result(String path, String message) {
        TaskError error = new TaskError(
                "INVALID_PARAMETERS",
                path + ": " + message,
                JsonObject.builder().put("path", path).build());
        return new TaskResult.Failed(FailureClass.PERMANENT, error, Optional.empty());
    }
}
