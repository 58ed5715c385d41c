package dev.flowstone.testkit.memory;

import dev.flowstone.engine.effect.Inbox;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;

/** The inbox in memory. */
final class InMemoryInbox implements Inbox {
    private final InMemoryDatabase database;

    InMemoryInbox(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public boolean accept(InboxMessage message) throws JournalException {
        StorableText.check(message.key().source());
        StorableText.check(message.key().key());
        StorableText.check(message.kind());
        StorableText.check(message.content());
        synchronized (database) {
            boolean fresh = database.inboxSeen.add(message.key());
            if (fresh) {
                database.inbox.put(message.key(), message);
            }
            return fresh;
        }
    }
}
