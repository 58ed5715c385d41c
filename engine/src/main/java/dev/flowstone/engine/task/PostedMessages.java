package dev.flowstone.engine.task;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;

/** Which messages were committed. Thread-safe. */
@FunctionalInterface
public interface PostedMessages {
    /** Whether it was ever committed, as far as is known: it waits, is dead, or has left evidence. */
    boolean knows(OutboxKey key) throws JournalException;
}
