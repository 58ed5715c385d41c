package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler to say how its attempt failed; the workflow sees its code, message and details. */
public final class TaskFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final ErrorClass errorClass;
    private final String code;
    private final transient Map<String, Object> details;
    private final @Nullable Duration retryAfter;

    /**
     * A failure.
     *
     * @param code for programs, such as {@code NO_STOCK}
     * @param message for people
     * @param details whatever Jackson makes JSON of
     * @param retryAfter at least this long before another attempt
     */
    public TaskFailure(
            ErrorClass errorClass,
            String code,
            String message,
            Map<String, Object> details,
            Optional<Duration> retryAfter) {
        super(requireNonNull(message));
        this.errorClass = requireNonNull(errorClass);
        this.code = requireNonNull(code);
        this.details = Map.copyOf(details);
        this.retryAfter = retryAfter.orElse(null);
    }

    public static TaskFailure retryable(String code, String message) {
        return new TaskFailure(ErrorClass.RETRYABLE, code, message, Map.of(), Optional.empty());
    }

    public static TaskFailure permanent(String code, String message) {
        return new TaskFailure(ErrorClass.PERMANENT, code, message, Map.of(), Optional.empty());
    }

    public static TaskFailure policyDenied(String code, String message) {
        return new TaskFailure(ErrorClass.POLICY_DENIED, code, message, Map.of(), Optional.empty());
    }

    public static TaskFailure externalLimit(String code, String message, Duration retryAfter) {
        return new TaskFailure(ErrorClass.EXTERNAL_LIMIT, code, message, Map.of(), Optional.of(retryAfter));
    }

    /** The same with details. */
    public TaskFailure with(Map<String, Object> more) {
        TaskFailure failure = new TaskFailure(errorClass, code, message(), more, retryAfter());
        failure.initCause(getCause());
        return failure;
    }

    public ErrorClass errorClass() {
        return errorClass;
    }

    public String code() {
        return code;
    }

    public String message() {
        return requireNonNull(getMessage());
    }

    public Map<String, Object> details() {
        return details;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
