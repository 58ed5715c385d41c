package dev.flowstone.server.node;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.BacklogReader;
import java.lang.System.Logger.Level;
import java.time.Instant;

/** Messages that wait where a node has nobody who delivers any. */
final class IdleOutbox {
    private static final System.Logger LOG = System.getLogger(IdleOutbox.class.getName());

    private IdleOutbox() {}

    /** Says so, once, when such a node starts. */
    static void warn(BacklogReader backlog, Instant now) {
        try {
            long pending = backlog.read(now).outboxPending();
            if (pending > 0) {
                LOG.log(
                        Level.WARNING,
                        "messages wait in the outbox, " + pending
                                + " of them, and this node knows no endpoint: those of its shards don't leave."
                                + " webhook.NAME.url and webhook.NAME.secret set one");
            }
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "what waits in the outbox can't be counted now: " + e.getMessage());
        }
    }
}
