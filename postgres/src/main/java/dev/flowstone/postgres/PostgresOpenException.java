package dev.flowstone.postgres;

import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    /**
     * Whether the same may go well later, without anybody changing a setting or a right: nobody answers (or no primary does),
     * the server starts or stops, is a standby, or has no connection left.
     */
    public boolean isAway() {
        for (@Nullable Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException e && e.getSQLState() != null) {
                return isAway(e.getSQLState(), String.valueOf(e.getMessage()));
            }
        }
        return false;
    }

    private static final Pattern REFUSED =
            Pattern.compile("authentication failed|does not exist|no such (user|database)|no pg_hba.conf entry");

    /** PgBouncer says 08P01 of all that its server refuses, and some of that time doesn't heal. */
    private static boolean isAway(String state, String message) {
        boolean refused = state.equals("08P01") && REFUSED.matcher(message).find();
        return (state.startsWith("08") && !refused)
                || state.startsWith("57P0")
                || state.equals("53300")
                || state.equals("25006");
    }
}
