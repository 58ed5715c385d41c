package dev.flowstone.postgres.embedded;

import java.nio.file.Path;

/** Why the embedded server could not start; each message says what is wrong, where, and what to do. */
public abstract sealed class EmbeddedPostgresException extends Exception {
    private static final long serialVersionUID = 1L;

    private EmbeddedPostgresException(String message) {
        super(message);
    }

    private EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Another Flowstone lives in the directory. */
    public static final class AlreadyRunning extends EmbeddedPostgresException {
        private static final long serialVersionUID = 1L;
        private final long processId;

        AlreadyRunning(Path directory, long processId) {
            super("the data directory " + directory + " belongs to a running Flowstone, process " + processId
                    + ": stop that one first, or give this one another directory");
            this.processId = processId;
        }

        /** Of the Flowstone that holds the directory; 0 if it hasn't written it down yet. */
        public long processId() {
            return processId;
        }
    }

    /** The directory can't be written to, or holds something that isn't ours. */
    public static final class UnusableDirectory extends EmbeddedPostgresException {
        private static final long serialVersionUID = 1L;

        UnusableDirectory(String message) {
            super(message);
        }

        UnusableDirectory(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The cluster was made by another major version of PostgreSQL. */
    public static final class WrongVersion extends EmbeddedPostgresException {
        private static final long serialVersionUID = 1L;

        WrongVersion(Path cluster, String found, String ours) {
            super("the database in " + cluster + " was made by PostgreSQL " + found + ", this Flowstone carries " + ours
                    + ": start it with the Flowstone that made it, or use another data directory");
        }
    }

    /** No server for this platform on the class path. */
    public static final class MissingBinaries extends EmbeddedPostgresException {
        private static final long serialVersionUID = 1L;

        MissingBinaries(String message) {
            super(message);
        }
    }

    /** No space left. */
    public static final class DiskFull extends EmbeddedPostgresException {
        private static final long serialVersionUID = 1L;

        DiskFull(Path directory, String detail) {
            super("no space left for the database in " + directory + " (" + detail + "): free some and start again;"
                    + " nothing that was acknowledged is lost");
        }
    }

    /** The server didn't start, or started and isn't what was asked for. */
    public static final class StartFailed extends EmbeddedPostgresException {
        private static final long serialVersionUID = 1L;

        StartFailed(String message) {
            super(message);
        }

        StartFailed(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
