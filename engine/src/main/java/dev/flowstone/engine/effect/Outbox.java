package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Messages that were committed and have not left yet. */
public interface Outbox {
    /**
     * Due messages of the shard, at most a page; the lease's holder alone delivers them. In turns of their destinations, the
     * oldest of each first, so that no destination keeps another's from going. Not those of suspended runs and scopes.
     */
    List<Pending> due(Lease lease, Instant now, Wanted wanted) throws JournalException;

    /** The same, of all destinations. */
    default List<Pending> due(Lease lease, Instant now, int limit) throws JournalException {
        return due(lease, now, Wanted.all(limit));
    }

    /**
     * Whether a message was ever committed: it waits, is dead, or there is evidence of what became of it. Once that evidence is
     * swept, nothing is known of a message that has left.
     */
    boolean knows(OutboxKey key) throws JournalException;

    /** Records how deliveries ended and that there were these attempts, in one statement. */
    void settle(Lease lease, List<Settlement> settlements) throws JournalException;

    /** What people look at, and do with dead letters. */
    default OutboxControl control() {
        return OutboxControl.NONE;
    }

    /**
     * A message with how often it was tried.
     *
     * @param attempts since it was committed, or put back from the dead letters
     * @param before those before that
     */
    record Pending(RunKey run, OutboxMessage message, int attempts, int before) {
        public Pending {
            requireNonNull(run);
            requireNonNull(message);
        }

        /** One that was never dead. */
        public Pending(RunKey run, OutboxMessage message, int attempts) {
            this(run, message, attempts, 0);
        }

        public OutboxKey key() {
            return message.key(run);
        }

        /** The number of its next attempt. */
        public int attempt() {
            return before + attempts + 1;
        }
    }

    /** What is known of one attempt, however it ended. */
    record Evidence(Instant begunAt, Duration took, Optional<Integer> status) {
        public Evidence {
            requireNonNull(begunAt);
            requireNonNull(took);
            requireNonNull(status);
        }
    }

    /** Why a message will not be tried again by itself. */
    enum DeathReason {
        /** The other side won't ever take it, as it said. */
        UNDELIVERABLE,
        /** Tried often enough. */
        EXHAUSTED,
        /** Tried often enough, and at last nobody here delivers to its destination. */
        UNKNOWN_DESTINATION
    }

    /** How a delivery ended. */
    sealed interface Settlement {
        Pending pending();

        Evidence evidence();

        /** It left. */
        record Delivered(Pending pending, Evidence evidence) implements Settlement {}

        /** Try again later. */
        record Postponed(Pending pending, Evidence evidence, Instant nextAttempt, String error) implements Settlement {}

        /** Kept as a dead letter. */
        record Dead(Pending pending, Evidence evidence, DeathReason reason, String error) implements Settlement {}
    }
}
