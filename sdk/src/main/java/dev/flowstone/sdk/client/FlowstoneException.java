package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a call has no result. Its message says what was called, what was wrong and what to do, and never has a token in it. Switch
 * over the four kinds, or ask what all of them know.
 */
public abstract sealed class FlowstoneException extends RuntimeException
        permits RefusedException, UnreachableException, UnreadableAnswerException, InterruptedCallException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient Said said;

    FlowstoneException(Said said, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.said = requireNonNull(said);
    }

    /**
     * What is known of the call.
     *
     * @param status of the answer, 0 if there was none
     * @param correlationId under which the server's log has it
     * @param key the idempotency key of a call that changes something
     * @param attempts how often it was sent
     * @param mayBeDone whether one of them may have worked
     */
    record Said(
            int status,
            String code,
            String remedy,
            Optional<String> correlationId,
            Optional<String> key,
            int attempts,
            boolean mayBeDone) {
        Said {
            requireNonNull(code);
            requireNonNull(remedy);
            requireNonNull(correlationId);
            requireNonNull(key);
        }
    }

    /** What was called, what was wrong, and what to do. */
    @Override
    public final String getMessage() {
        return requireNonNull(super.getMessage());
    }

    /** The answer's status; 0 if there was none. */
    public final int status() {
        return said.status;
    }

    /** For programs: the server's code such as {@code WORKFLOW_NOT_FOUND}, or this library's. */
    public final String code() {
        return said.code;
    }

    /** What to do, for people. */
    public final String remedy() {
        return said.remedy;
    }

    /** By which the call is found in the server's log and in the events it caused. */
    public final Optional<String> correlationId() {
        return said.correlationId;
    }

    /** The key that it was sent under: to repeat it under the same one does it once. */
    public final Optional<String> idempotencyKey() {
        return said.key;
    }

    /** How often it was sent before this was thrown. */
    public final int attempts() {
        return said.attempts;
    }

    /**
     * Whether the server may have done it all the same, at one of the attempts; if so, repeat it under {@link #idempotencyKey}, or
     * look how it stands. False if nothing was done.
     */
    public final boolean mayBeDone() {
        return said.mayBeDone;
    }

    /** Whether the same call may succeed later. */
    public abstract boolean isRetryable();
}
