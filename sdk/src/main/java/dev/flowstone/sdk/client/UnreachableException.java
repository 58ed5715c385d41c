package dev.flowstone.sdk.client;

import java.io.Serial;

/**
 * No answer came: there is no connection, it broke, or it took too long. {@link #mayBeDone} says whether the server may have done
 * it all the same; if so, repeat it under {@link #idempotencyKey}.
 */
public final class UnreachableException extends FlowstoneException {
    @Serial
    private static final long serialVersionUID = 1;

    private final boolean retryable;

    UnreachableException(Said said, String message, boolean retryable) {
        super(said, message, null);
        this.retryable = retryable;
    }

    @Override
    public boolean isRetryable() {
        return retryable;
    }
}
