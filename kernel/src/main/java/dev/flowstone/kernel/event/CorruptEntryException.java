package dev.flowstone.kernel.event;

/** Stored bytes that are not what was once written. */
public final class CorruptEntryException extends Exception {
    private static final long serialVersionUID = 1L;

    public CorruptEntryException(String reason) {
        super(reason);
    }
}
