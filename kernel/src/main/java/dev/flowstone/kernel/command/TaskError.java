package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;

/**
 * A task's failure as data.
 *
 * @param code stable, upper case, such as {@code HANDLER_THREW}
 * @param message one sentence; cut by the engine at its declared bound
 * @param details whatever else the handler said
 */
public record TaskError(String code, String message, JsonObject details) {
    public TaskError {
        requireNonNull(code);
        requireNonNull(message);
        requireNonNull(details);
    }

    public static TaskError of(String code, String message) {
        return new TaskError(code, message, JsonObject.EMPTY);
    }
}
