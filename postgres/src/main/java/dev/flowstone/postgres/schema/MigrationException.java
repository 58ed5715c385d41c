package dev.flowstone.postgres.schema;

/** The schema could not be brought up to date: a newer release was here, a file changed, or a right is missing. */
public final class MigrationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MigrationException(String message) {
        super(message);
    }

    MigrationException(String message, Throwable cause) {
        super(message, cause);
    }
}
