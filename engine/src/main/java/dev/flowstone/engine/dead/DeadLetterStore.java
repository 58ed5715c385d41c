package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps dead letters. Each call is a transaction of its own, and may be repeated. Of the letters of a {@link PoisonMessage#sender pair}
 * only the first, by id, is ever due, also while it is dead: those behind it are held back.
 */
public interface DeadLetterStore {
    /** Keeps none. */
    DeadLetterStore NONE = new NoDeadLetters();

    /**
     * Something could not be taken up, for the first time or again: durable when it returns. One that is known keeps its id, its
     * attempts and when it is due; it is dead once its retries are used up.
     */
    Failed failed(PoisonMessage poison, DeadLetterConfig config) throws JournalException;

    /** The same of one that was {@link #take}n. Nothing, if it is gone. */
    Failed failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config)
            throws JournalException;

    /**
     * What a failure has made of a letter.
     *
     * @param fresh whether there was none before
     * @param dead whether it is tried no more
     */
    record Failed(boolean fresh, boolean dead) {
        /** Nothing: it is gone, or none are kept. */
        public static final Failed NOTHING = new Failed(false, false);
    }

    /**
     * One that was taken came too late, and can't be taken up any more: it is dead, and holds back none of its pair. Nothing, if it
     * is gone.
     */
    void overtaken(TenantId tenant, long id, String error) throws JournalException;

    /**
     * Those that are due; each counts an attempt, and is due again after the delay unless something is heard of it. One that has no retry
     * left is dead. Each tenant's letters of each source are a line of their own: lines take turns, whatever their length, and in each
     * those are first that were due first.
     *
     * @param mine whose slots are looked at
     * @param sources likewise
     */
    Taken take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config)
            throws JournalException;

    /**
     * What was due.
     *
     * @param due to be tried again, by id
     * @param dead have no retry left, by id
     */
    record Taken(List<DeadLetter> due, List<DeadLetter> dead) {
        /** None was. */
        public static final Taken NOTHING = new Taken(List.of(), List.of());

        public Taken {
            due = List.copyOf(due);
            dead = List.copyOf(dead);
        }
    }

    /** It was taken up: it is gone, and the next of its pair is due. */
    void resolved(TenantId tenant, long id) throws JournalException;

    /** The same, unless it failed again since it was {@link #take}n. */
    void resolved(DeadLetter taken) throws JournalException;

    /**
     * Those that were {@link #take}n couldn't be taken up yet: each is due again after its pause, and that was none of its retries.
     * Nothing for one that failed since.
     */
    void postponed(List<Postponed> letters) throws JournalException;

    /**
     * One that couldn't be taken up yet.
     *
     * @param taken as it was when it was taken
     * @param pause from now on
     */
    record Postponed(DeadLetter taken, Duration pause) {
        public Postponed {
            requireNonNull(taken);
            requireNonNull(pause);
        }
    }

    /** How many of a tenant's letters of a source wait; counts to so many at most. */
    int waiting(TenantId tenant, DeadSource source, int most) throws JournalException;

    /** Letters of a run are due at once, dead ones too; their retries count anew. */
    void dueAgain(RunKey run, Set<DeadSource> sources) throws JournalException;

    /** Those of its pair that are behind it, by id. */
    List<DeadLetter> behind(DeadLetter letter, int limit) throws JournalException;

    /** Pairs that have messages, of receivers in a shard; in an order of their own, after one, at most a page. */
    List<Pair> pairs(Shard shard, Optional<Pair> after, int limit) throws JournalException;

    /** Whether a pair has messages. */
    boolean has(Pair pair) throws JournalException;

    /** Two runs, one of which writes to the other. */
    record Pair(RunKey receiver, RunId sender) {
        public Pair {
            requireNonNull(receiver);
            requireNonNull(sender);
        }
    }

    /** How many there are of all tenants, by source and state; of so many at most. */
    List<Depth> depths(int most) throws JournalException;

    /**
     * Letters of one source in one state, of which there is one at least.
     *
     * @param oldest when the first of them failed first
     */
    record Depth(DeadSource source, DeadLetter.State state, long count, Instant oldest) {}

    /** For people. */
    DeadLetters control();
}
