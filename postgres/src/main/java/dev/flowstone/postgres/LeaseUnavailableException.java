package dev.flowstone.postgres;

/** The database could not be asked about a lease; whether it was prolonged is unknown, so its old end counts. */
public final class LeaseUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeaseUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
