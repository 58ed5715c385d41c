package dev.flowstone.engine.journal;

/** Why a call to the journal has no result. The kinds say what the caller must do; {@code SQLException} never leaves the store. */
public abstract sealed class JournalException extends Exception {
    private static final long serialVersionUID = 1L;

    private JournalException(String message, Throwable cause) {
        super(message, cause);
    }

    private JournalException(String message) {
        super(message);
    }

    /** Nothing was stored and nothing can be done but try again later. */
    public static final class Unavailable extends JournalException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, Throwable cause) {
            super(message, cause);
        }

        public Unavailable(String message) {
            super(message);
        }
    }

    /** The shard belongs to somebody else now: stop, at once. Nothing was stored. */
    public static final class StaleEpoch extends JournalException {
        private static final long serialVersionUID = 1L;

        public StaleEpoch(String message) {
            super(message);
        }
    }

    /** The connection broke in COMMIT: all or nothing was stored; read the runs' rows before going on. */
    public static final class UnknownOutcome extends JournalException {
        private static final long serialVersionUID = 1L;

        public UnknownOutcome(String message, Throwable cause) {
            super(message, cause);
        }

        public UnknownOutcome(String message) {
            super(message);
        }
    }

    /** Some move binds its run to a subject that it can't have: another run has it, or it has a newer version. Nothing was stored. */
    public static final class SubjectTaken extends JournalException {
        private static final long serialVersionUID = 1L;

        public SubjectTaken(String message) {
            super(message);
        }
    }

    /** The database refused the data of some move; nothing was stored. Bisect. */
    public static final class BadData extends JournalException {
        private static final long serialVersionUID = 1L;

        public BadData(String message, Throwable cause) {
            super(message, cause);
        }

        public BadData(String message) {
            super(message);
        }
    }
}
