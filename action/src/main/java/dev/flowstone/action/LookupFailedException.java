package dev.flowstone.action;

import java.io.Serial;

/**
 * What an action asked for can't be told now, because a store is away. Let it pass: the attempt is then given back, which uses up
 * nothing, and made again.
 */
public final class LookupFailedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public LookupFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
