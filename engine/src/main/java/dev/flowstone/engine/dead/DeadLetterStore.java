package dev.flowstone.engine.dead;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.TenantId;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Keeps dead letters. Each call is a transaction of its own, and may be repeated. */
public interface DeadLetterStore {
    /** Keeps none. */
    DeadLetterStore NONE = new DeadLetterStore() {};

    /**
     * Something could not be taken up, for the first time or again: durable when it returns. One that is known keeps its id, its
     * attempts and when it is due; it is dead once its retries are used up.
     */
    default void failed(PoisonMessage poison, DeadLetterConfig config) throws JournalException {}

    /** The same of one that was {@link #take}n. Nothing, if it is gone. */
    default void failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config)
            throws JournalException {}

    /**
     * Those that are due, first those that were first; each counts an attempt, and is due again after the delay unless something is
     * heard of it. One that has no retry left is dead, and not among them.
     *
     * @param mine whose slots are looked at
     * @param sources likewise
     */
    default List<DeadLetter> take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config)
            throws JournalException {
        return List.of();
    }

    /** It was taken up: it is gone. */
    default void resolved(TenantId tenant, long id) throws JournalException {}

    /** The same, by its name. */
    default void resolved(TenantId tenant, DeadSource source, String key) throws JournalException {}

    /** For people. */
    default DeadLetters control() {
        return DeadLetters.NONE;
    }
}
