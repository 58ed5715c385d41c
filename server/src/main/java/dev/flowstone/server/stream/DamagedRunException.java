package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.FeedPlace;

/** A run's part in a commit can't be read: its stored events are not what was once written. Unchecked, as its cause is. */
public final class DamagedRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String event;
    private final transient FeedPlace behind;

    DamagedRunException(CorruptHistoryException damage, long sequence, FeedPlace behind) {
        super(damage.getMessage(), damage);
        this.event = damage.run().run() + "/" + sequence;
        this.behind = requireNonNull(behind);
    }

    /** The id of the first event that can't be handed on. */
    public String event() {
        return event;
    }

    /** The place behind all that the run has in that commit. */
    public FeedPlace behind() {
        return behind;
    }
}
