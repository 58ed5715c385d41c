package dev.flowstone.server.metric;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Counts what happens to dead letters here, once it is stored. Thread-safe. */
public final class DeadLetterCounts {
    private static final String ENQUEUED = "enqueued";
    private static final String REQUEUED = "requeued";
    private static final String PURGED = "purged";

    private final Counts changes =
            new Counts("flowstone_dead_letter_changes_total", "What happened to dead letters.", 3, "change");

    public DeadLetterCounts(Meters meters) {
        List.of(ENQUEUED, REQUEUED, PURGED).forEach(change -> changes.show(change));
        meters.add(changes);
    }

    /** The same letters, counted; a place that keeps none stays as it is. */
    public DeadLetterStore around(DeadLetterStore store) {
        return store.equals(DeadLetterStore.NONE) ? store : new Store(store, new Control(store.control()));
    }

    private final class Store implements DeadLetterStore {
        private final DeadLetterStore inner;
        private final DeadLetters control;

        Store(DeadLetterStore inner, DeadLetters control) {
            this.inner = requireNonNull(inner);
            this.control = requireNonNull(control);
        }

        @Override
        public Failed failed(PoisonMessage poison, DeadLetterConfig config) throws JournalException {
            Failed failed = inner.failed(poison, config);
            changes.add(failed.fresh() ? 1 : 0, ENQUEUED);
            return failed;
        }

        @Override
        public Failed failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config)
                throws JournalException {
            return inner.failed(tenant, id, reason, error, config);
        }

        @Override
        public void overtaken(TenantId tenant, long id, String error) throws JournalException {
            inner.overtaken(tenant, id, error);
        }

        @Override
        public Taken take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config)
                throws JournalException {
            return inner.take(mine, sources, limit, config);
        }

        @Override
        public void resolved(TenantId tenant, long id) throws JournalException {
            inner.resolved(tenant, id);
        }

        @Override
        public void resolved(DeadLetter taken) throws JournalException {
            inner.resolved(taken);
        }

        @Override
        public void postponed(List<Postponed> letters) throws JournalException {
            inner.postponed(letters);
        }

        @Override
        public int waiting(TenantId tenant, DeadSource source, int most) throws JournalException {
            return inner.waiting(tenant, source, most);
        }

        @Override
        public void dueAgain(RunKey run, Set<DeadSource> sources) throws JournalException {
            inner.dueAgain(run, sources);
        }

        @Override
        public List<DeadLetter> behind(DeadLetter letter, int limit) throws JournalException {
            return inner.behind(letter, limit);
        }

        @Override
        public List<Pair> pairs(Shard shard, Optional<Pair> after, int limit) throws JournalException {
            return inner.pairs(shard, after, limit);
        }

        @Override
        public boolean has(Pair pair) throws JournalException {
            return inner.has(pair);
        }

        @Override
        public List<Depth> depths(int most) throws JournalException {
            return inner.depths(most);
        }

        @Override
        public DeadLetters control() {
            return control;
        }
    }

    private final class Control implements DeadLetters {
        private final DeadLetters inner;

        Control(DeadLetters inner) {
            this.inner = requireNonNull(inner);
        }

        @Override
        public List<DeadLetter> list(TenantId tenant, Filter filter, long after, int limit) throws JournalException {
            return inner.list(tenant, filter, after, limit);
        }

        @Override
        public Optional<DeadLetter> find(TenantId tenant, long id) throws JournalException {
            return inner.find(tenant, id);
        }

        @Override
        public List<Done> deeds(TenantId tenant, long id, int limit) throws JournalException {
            return inner.deeds(tenant, id, limit);
        }

        @Override
        public int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed)
                throws JournalException {
            int requeued = inner.requeue(tenant, filter, limit, apart, deed);
            changes.add(requeued, REQUEUED);
            return requeued;
        }

        @Override
        public int purge(TenantId tenant, Filter filter, int limit, Deed deed) throws JournalException {
            int purged = inner.purge(tenant, filter, limit, deed);
            changes.add(purged, PURGED);
            return purged;
        }
    }
}
