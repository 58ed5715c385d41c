package dev.flowstone.engine.task;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** Transactional tasks (R17), for the owner of the run's shard. */
public interface Transactions {
    /** For places without a database: every attempt fails. */
    Transactions NONE = new Transactions() {
        @Override
        public Outcome execute(TransactionRequest request, Work work) {
            return new Outcome.Undone(TaskResult.permanent("NOT_SUPPORTED", "there are no transactions here"));
        }

        @Override
        public Optional<Outcome.Recorded> find(TransactionRequest request) {
            return Optional.empty();
        }

        @Override
        public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.of();
        }
    };

    /** How long a transaction may take, whatever its task's timeout: others wait for what it holds. */
    Duration LONGEST = Duration.ofSeconds(10);

    /**
     * When an attempt is given up whose transaction the database can't bound, because its handler is stuck in something
     * else: what the transaction may take, and as long again for a connection and for being interrupted.
     */
    Duration GIVEN_UP_AFTER = LONGEST.multipliedBy(3);

    /** A handler and what it was called with. */
    interface Work {
        void lock(SubjectTransaction transaction) throws Exception;

        /** Called once it is known, under the locks, that the attempt was not recorded before. */
        TaskResult run(SubjectTransaction transaction) throws Exception;

        /** Whether it is still to be committed. After a yes nobody gives it up until its outcome is known. */
        default boolean mayCommit() {
            return true;
        }
    }

    /** How it ended. */
    sealed interface Outcome {
        /** The result stands in the inbox, with what was done: by this attempt, or by one before, and nothing was done now. */
        record Recorded(InboxMessage message) implements Outcome {}

        /** Nothing was done. */
        record Undone(TaskResult result) implements Outcome {}
    }

    /**
     * In one transaction: checks the epoch, locks the subject's own row and its window row, looks whether this attempt or
     * one before it has been recorded, checks the version, does the work, raises the version, and records the result in
     * the inbox. May be asked again for the same attempt, also at the same time: it is done once.
     *
     * @throws JournalException if the database can't do it now; asked again, it is done or found done
     * @throws dev.flowstone.engine.subject.MutationException if it can't be made like this, or not in time; nothing was done
     * @throws Exception whatever the work throws; nothing was done
     */
    Outcome execute(TransactionRequest request, Work work) throws Exception;

    /**
     * Whether this attempt or one before it has been recorded, once a transaction of it that may still be under way has
     * ended: for whoever doesn't know what became of one. Only the attempt's own owner asks, and makes it meanwhile no more.
     *
     * @throws Exception if that can't be known now
     */
    Optional<Outcome.Recorded> find(TransactionRequest request) throws Exception;

    /** Which of these results are recorded and not yet consumed. Final, for an owner whose epoch is current. */
    Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) throws JournalException;

    /**
     * How many may be under way at once in a node, whatever their handlers: each holds a connection, and others than
     * transactions need some too. At least 1. Without a bound where nothing is held.
     */
    default int atOnce() {
        return Integer.MAX_VALUE;
    }
}
