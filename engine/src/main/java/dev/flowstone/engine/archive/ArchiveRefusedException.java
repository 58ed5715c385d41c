package dev.flowstone.engine.archive;

/** A month was not archived, for a reason that a person can do something about. Nothing has left the database. */
public final class ArchiveRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public ArchiveRefusedException(String message) {
        super(message);
    }
}
