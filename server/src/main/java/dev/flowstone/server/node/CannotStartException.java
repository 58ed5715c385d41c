package dev.flowstone.server.node;

/** Flowstone can't start here: what is wrong, and what to do. */
public final class CannotStartException extends Exception {
    private static final long serialVersionUID = 1L;

    public CannotStartException(String message) {
        super(message);
    }

    public CannotStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
