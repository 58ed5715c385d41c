package dev.flowstone.engine.effect;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import java.time.Instant;
import java.util.List;

/** Messages that were committed and have not left yet. */
public interface Outbox {
    /** Due messages of the shard, oldest first, at most a page; the lease's holder alone delivers them. */
    List<Pending> due(Lease lease, Instant now, int limit) throws JournalException;

    /** Records how deliveries ended, in one statement. */
    void settle(Lease lease, List<Settlement> settlements) throws JournalException;

    /** A message with how often it was tried. */
    record Pending(RunKey run, OutboxMessage message, int attempts) {}

    /** How a delivery ended. */
    sealed interface Settlement {
        Pending pending();

        /** It left. */
        record Delivered(Pending pending) implements Settlement {}

        /** Try again later. */
        record Postponed(Pending pending, Instant nextAttempt, String error) implements Settlement {}

        /** Tried often enough: kept as a dead letter. */
        record Dead(Pending pending, String error) implements Settlement {}
    }
}
