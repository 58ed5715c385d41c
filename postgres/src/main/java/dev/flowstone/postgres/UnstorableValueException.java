package dev.flowstone.postgres;

/** A value that PostgreSQL cannot keep, found before it was sent; becomes {@code BadData}. */
final class UnstorableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnstorableValueException(String message) {
        super(message);
    }

    UnstorableValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
