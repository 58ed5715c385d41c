package dev.flowstone.postgres;

/** A database that Flowstone can't or won't run on: what is wrong, where, and what to do. */
public final class PostgresOpenException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Which of them. */
    public enum Reason {
        /** Nobody answers at the address. */
        UNREACHABLE,
        /** User or password are refused. */
        LOGIN_REFUSED,
        /** Older than PostgreSQL 15. */
        TOO_OLD,
        /** Commits could be lost: fsync, full_page_writes or synchronous_commit is off. */
        NOT_DURABLE,
        /** The migrations failed. */
        MIGRATION_FAILED,
        /** A role has more rights than it may. */
        UNSAFE_ROLE
    }

    private final Reason reason;

    PostgresOpenException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    PostgresOpenException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
