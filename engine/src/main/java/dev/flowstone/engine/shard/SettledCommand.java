package dev.flowstone.engine.shard;

import dev.flowstone.kernel.event.EventBody;
import java.time.Instant;
import java.util.List;

/** A command whose decision is durable, for observers: read it while you are told of it, and keep nothing of it. */
public interface SettledCommand {
    /** When it came to its shard. */
    Instant enqueuedAt();

    Fate fate();

    /** That it caused; none unless it was accepted. */
    List<EventBody> events();

    /** What became of a command. */
    enum Fate {
        ACCEPTED,
        /** Recorded, to be decided when its run is resumed. */
        BUFFERED,
        /** It says what was said before, and changed nothing. */
        REPEATED,
        REJECTED,
        /** It can't be decided at all. */
        BROKEN
    }
}
