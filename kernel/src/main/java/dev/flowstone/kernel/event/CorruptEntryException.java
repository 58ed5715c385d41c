package dev.flowstone.kernel.event;

/** Stored bytes that are not what was once written, or that this release can't read. */
public sealed class CorruptEntryException extends Exception permits NewerEntryException {
    private static final long serialVersionUID = 1L;

    public CorruptEntryException(String reason) {
        super(reason);
    }
}
