package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;

/** A run's stored events are not what was once written. Unchecked, because nothing in the program can mend it. */
public final class CorruptHistoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RunKey run;
    private final long sequence;
    private final String reason;

    /**
     * A broken chain.
     *
     * @param sequence number of the first event that doesn't fit
     */
    public CorruptHistoryException(RunKey run, long sequence, String reason) {
        super("run " + run.run() + ", event " + sequence + ": " + reason);
        this.run = requireNonNull(run);
        this.sequence = sequence;
        this.reason = requireNonNull(reason);
    }

    public RunKey run() {
        return run;
    }

    public long sequence() {
        return sequence;
    }

    public String reason() {
        return reason;
    }
}
