package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;

/** Stored bytes of a form that this release doesn't know. A later one may have written them, if they have the hash that is kept beside them. */
public final class NewerEntryException extends CorruptEntryException {
    private static final long serialVersionUID = 1L;

    private final transient Sha256 hash;

    NewerEntryException(String reason, Sha256 hash) {
        super(reason);
        this.hash = requireNonNull(hash);
    }

    /** Recomputed: that of the last event, if these are the bytes that were written. */
    public Sha256 hash() {
        return hash;
    }
}
