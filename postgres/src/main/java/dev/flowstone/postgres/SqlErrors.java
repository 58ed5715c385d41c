package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.BadData;
import dev.flowstone.engine.journal.JournalException.StaleEpoch;
import dev.flowstone.engine.journal.JournalException.SubjectTaken;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.journal.JournalException.UnknownOutcome;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** What an SQLSTATE means for the caller. */
final class SqlErrors {
    /** Raised by our own statements when the shard's epoch is another one. */
    static final String STALE_EPOCH = "FS001";

    /** Raised by our own statements when a run can't have its subject. */
    private static final String SUBJECT_TAKEN = "FS002";

    private static final String COMPLETION_UNKNOWN = "40003";

    private SqlErrors() {}

    /** Of a statement that changed nothing or was rolled back. */
    static JournalException ofRead(SQLException error) {
        return of(error, false);
    }

    /** Of a statement that is a transaction by itself: whoever loses the connection can't know whether it committed. */
    static JournalException ofCommit(SQLException error) {
        return of(error, true);
    }

    private static JournalException of(SQLException error, boolean committing) {
        String state = state(error);
        return switch (kind(error, state)) {
            case CONNECTION ->
                committing
                        ? new UnknownOutcome("the connection broke in the commit (" + text(error) + ")", error)
                        : new Unavailable("the database connection broke (" + text(error) + ")", error);
            case NO_CONNECTION -> new Unavailable("no database connection to be had (" + text(error) + ")", error);
            case DATA -> new BadData("the database refused the data (" + text(error) + ")", error);
            case TAKEN -> new SubjectTaken(String.valueOf(error.getMessage()));
            case STALE -> new StaleEpoch(String.valueOf(error.getMessage()));
            case TRANSIENT -> new Unavailable("the database could not do it now (" + text(error) + ")", error);
            case BUG -> throw new IllegalStateException("a statement of ours is wrong: " + text(error), error);
        };
    }

    /** Whether somebody else held for too long what a statement had to lock. */
    static boolean isLocked(JournalException error) {
        return error.getCause() instanceof SQLException cause && state(cause).equals("55P03");
    }

    /** Whether a transaction was undone because it and another waited for each other. */
    static boolean isDeadlock(JournalException error) {
        return error.getCause() instanceof SQLException cause && state(cause).equals("40P01");
    }

    static boolean retryable(SQLException error) {
        String state = state(error);
        return state.equals("40001") || state.equals("40P01");
    }

    /** Whether a run's birth month has no partition. */
    static boolean partitionMissing(SQLException error) {
        return state(error).equals("23514")
                && String.valueOf(error.getMessage()).contains("no partition of relation");
    }

    private enum Kind {
        CONNECTION,
        NO_CONNECTION,
        DATA,
        STALE,
        TAKEN,
        TRANSIENT,
        BUG
    }

    private static Kind kind(SQLException error, String state) {
        if (error instanceof SQLTransientConnectionException) {
            return Kind.NO_CONNECTION; // the pool's own: it waited in vain
        }
        if (state.equals(STALE_EPOCH)) {
            return Kind.STALE;
        }
        if (state.equals(SUBJECT_TAKEN)) {
            return Kind.TAKEN;
        }
        if (state.startsWith("57P") || state.equals(COMPLETION_UNKNOWN) || state.isEmpty()) {
            return Kind.CONNECTION;
        }
        return switch (state.length() < 2 ? state : state.substring(0, 2)) {
            case "08" -> Kind.CONNECTION;
            case "21", "22", "23", "54" -> Kind.DATA;
            case "0A", "42", "44" -> Kind.BUG;
            default -> Kind.TRANSIENT; // 25, 28, 40, 53, 55, 57, 58, XX: nothing was stored
        };
    }

    static String state(SQLException error) {
        @Nullable String state = error.getSQLState();
        return state == null ? "" : state;
    }

    static String text(SQLException error) {
        return state(error) + ": " + error.getMessage();
    }
}
