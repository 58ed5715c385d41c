package dev.flowstone.action;

import java.io.Serial;

/**
 * What an action asked for can't be told now, because a store is away. Let it pass: if it is Flowstone's own, the attempt is given back,
 * which uses up nothing, and made again; else it has failed ({@code LOOKUP_FAILED}) and is tried again as the node's policy says.
 */
public final class LookupFailedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public LookupFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
