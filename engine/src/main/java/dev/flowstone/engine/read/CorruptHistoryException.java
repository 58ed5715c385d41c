package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;

/**
 * A run's stored events are not what was once written, or a later release has written them. Unchecked, because nothing in the program can
 * mend it.
 */
public final class CorruptHistoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RunKey run;
    private final long sequence;
    private final String reason;
    private final boolean newer;

    /**
     * A broken chain.
     *
     * @param sequence number of the first event that doesn't fit
     */
    public CorruptHistoryException(RunKey run, long sequence, String reason) {
        this(run, sequence, reason, false);
    }

    private CorruptHistoryException(RunKey run, long sequence, String reason, boolean newer) {
        super("run " + run.run() + ", event " + sequence + ": " + reason);
        this.run = requireNonNull(run);
        this.sequence = sequence;
        this.reason = requireNonNull(reason);
        this.newer = newer;
    }

    /** A whole chain, which goes on in a form that this release doesn't know. */
    static CorruptHistoryException newer(RunKey run, long sequence, String reason) {
        return new CorruptHistoryException(run, sequence, reason, true);
    }

    /** Whether nothing is damaged: a later release has written it, whose nodes can read it. */
    public boolean isNewer() {
        return newer;
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
