package dev.flowstone.engine.effect;

import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;

/** Where other processes leave messages for runs. */
@FunctionalInterface
public interface Inbox {
    /** Stores the message durably; false if one with its key had been accepted before. */
    boolean accept(InboxMessage message) throws JournalException;
}
