package dev.flowstone.connectors.registry;

import org.jspecify.annotations.Nullable;

/** A connector that a node can't start with: which, where it comes from, why, and what to do. */
public final class RefusedConnectorException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedConnectorException(String message) {
        super(message);
    }

    public RefusedConnectorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
