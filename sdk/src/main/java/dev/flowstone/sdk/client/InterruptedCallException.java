package dev.flowstone.sdk.client;

import java.io.Serial;

/** The calling thread was interrupted, and still is: what was asked may have been done. */
public final class InterruptedCallException extends FlowstoneException {
    @Serial
    private static final long serialVersionUID = 1;

    InterruptedCallException(Said said, String message, InterruptedException cause) {
        super(said, message, cause);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
