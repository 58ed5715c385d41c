package dev.flowstone.sdk.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An answer came that is none of Flowstone's, is longer than this client takes, or isn't of the shape that was asked for. What was
 * asked may have been done.
 */
public final class UnreadableAnswerException extends FlowstoneException {
    @Serial
    private static final long serialVersionUID = 1;

    UnreadableAnswerException(Said said, String message, @Nullable Throwable cause) {
        super(said, message, cause);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
