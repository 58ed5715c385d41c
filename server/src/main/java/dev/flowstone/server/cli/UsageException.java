package dev.flowstone.server.cli;

/** A call that can't be meant: what is wrong, and what to do. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
