package dev.flowstone.engine.ownership;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes free shards, renews what it holds at a third of the time to live, and says when a shard was won, kept or
 * lost. A node that shares with others takes its fair share of them, and gives away what it has too much of; one that doesn't
 * takes all that are free. What it holds comes first: however many shards are hard to get, they don't cost it those that it
 * has. One thread at a time calls it; it has none of its own.
 */
public final class LeaseKeeper {
    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());

    private final Leases leases;
    private final LeaseConfig config;
    private final String holder;
    private final Clock clock;
    private final Owner owner;
    private final @Nullable Company company;
    private final Map<ShardId, Held> held = new HashMap<>();
    private final Map<ShardId, Instant> retryAt = new HashMap<>();

    /** Those of them that are on their way to other nodes. */
    private final Set<ShardId> leaving = new HashSet<>();

    private volatile boolean acquiring = true;

    /** Whether the database answered when it was last asked for a lease. */
    private volatile boolean answered = true;

    /** That of a node which shares with nobody. */
    public LeaseKeeper(Leases leases, LeaseConfig config, String holder, Clock clock, Owner owner) {
        this(leases, config, holder, null, clock, owner);
    }

    /** That of a node which shares with others. */
    public LeaseKeeper(Leases leases, LeaseConfig config, Member self, Clock clock, Owner owner) {
        this(leases, config, self.name(), new Company(leases, config, self, clock), clock, owner);
    }

    private LeaseKeeper(
            Leases leases, LeaseConfig config, String holder, @Nullable Company company, Clock clock, Owner owner) {
        this.leases = requireNonNull(leases);
        this.config = requireNonNull(config);
        this.holder = requireNonNull(holder);
        this.company = company;
        this.clock = requireNonNull(clock);
        this.owner = requireNonNull(owner);
    }

    /** Who works on the shards that are held. */
    public interface Owner {
        /**
         * The shard is ours.
         *
         * @param until when to stop at the latest, by this machine's clock
         */
        void gained(Lease lease, Instant until);

        /** It stays ours for longer. */
        void extended(ShardId shard, Instant until);

        /** Somebody else has it. */
        void lost(ShardId shard);

        /**
         * Others are to have it: it is brought to an end in good order, within the time to hand over, while its lease is still
         * renewed; then {@link LeaseKeeper#give} is called.
         */
        default void handOver(ShardId shard) {}

        /** Whether its work hangs: then its lease is left to run out, and another node takes it over. */
        default boolean hangs(ShardId shard) {
            return false;
        }
    }

    /**
     * Renews and acquires what is due.
     *
     * @return when to be called again at the latest
     */
    public synchronized Instant step() {
        renew();
        boolean looked = acquiring && company != null && company.look();
        for (Shard shard : leases.shards()) {
            if (acquiring && isWanted(shard.id())) {
                keep(shard.id(), () -> acquire(shard.id()));
                // That may have taken a moment, and many moments are longer than a lease.
                renew();
            }
        }
        if (looked) {
            handOver();
        }
        return next();
    }

    private void handOver() {
        int surplus = company == null ? 0 : company.surplus(held.size() - leaving.size());
        List<ShardId> kept = held.keySet().stream()
                .filter(shard -> !leaving.contains(shard))
                .sorted(Comparator.reverseOrder())
                .limit(surplus)
                .toList();
        for (ShardId shard : kept) {
            LOG.log(Level.INFO, "shard " + shard + " goes to another node");
            leaving.add(shard);
            owner.handOver(shard);
        }
    }

    private void renew() {
        for (Shard shard : leases.shards()) {
            Held current = held.get(shard.id());
            if (current != null && config.isDue(due(current, shard.id()), clock.now())) {
                keep(shard.id(), () -> renew(current));
            }
        }
    }

    private boolean isWanted(ShardId shard) {
        Instant wait = retryAt.get(shard);
        return !held.containsKey(shard)
                && (wait == null || config.isDue(wait, clock.now()))
                && (company == null || company.mayTake(shard, held.size() - leaving.size()));
    }

    /** What is asked of the database for one shard. */
    @FunctionalInterface
    private interface Asking {
        void ask() throws JournalException;
    }

    private void keep(ShardId shard, Asking asking) {
        try {
            asking.ask();
            answered = true;
        } catch (JournalException e) {
            failed(shard, e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the lease of shard " + shard + " can't be kept", e);
            later(shard);
        }
    }

    private void failed(ShardId shard, JournalException failure) {
        switch (failure) {
            case JournalException.StaleEpoch stale -> {
                answered = true;
                lost(shard);
            }
            case JournalException.SubjectTaken _, JournalException.BadData _ -> refused(shard, true, failure);
            case JournalException.Unavailable _, JournalException.UnknownOutcome _ -> refused(shard, false, failure);
        }
    }

    /** Whether it was prolonged doesn't matter: its old end counts, and whoever holds it may take it again. */
    private void refused(ShardId shard, boolean answer, JournalException failure) {
        answered = answer;
        LOG.log(Level.WARNING, "the lease of shard " + shard + " can't be reached: " + failure.getMessage());
        later(shard);
    }

    private void later(ShardId shard) {
        retryAt.put(shard, clock.now().plus(config.retry()));
    }

    private void lost(ShardId shard) {
        LOG.log(Level.WARNING, "shard " + shard + " was taken over by another node");
        forget(shard);
        owner.lost(shard);
    }

    private void renew(Held current) throws JournalException {
        ShardId shard = current.lease.shard().id();
        Instant before = clock.now();
        if (owner.hangs(shard)) {
            LOG.log(Level.ERROR, "a decision of shard " + shard + " hangs: its lease is not renewed");
            later(shard);
            return;
        }
        Optional<Lease> renewed = leases.renew(current.lease, config.timeToLive());
        if (renewed.isPresent()) {
            retryAt.remove(shard);
            held.put(shard, new Held(renewed.get(), before.plus(config.renewal())));
            owner.extended(shard, end(before));
        } else {
            lost(shard);
        }
    }

    private void acquire(ShardId shard) throws JournalException {
        Instant before = clock.now();
        Optional<Lease> lease = leases.acquire(shard, holder, config.timeToLive());
        if (lease.isPresent()) {
            retryAt.remove(shard);
            owner.gained(lease.get(), end(before));
            if (company != null) {
                company.took(shard, held.size() - leaving.size());
            }
            held.put(shard, new Held(lease.get(), before.plus(config.renewal())));
        } else {
            retryAt.put(shard, before.plus(config.retry()));
        }
    }

    private Instant end(Instant before) {
        return before.plus(config.timeToLive()).minus(config.margin());
    }

    private Instant due(Held current, ShardId shard) {
        return retryAt.getOrDefault(shard, current.renewAt);
    }

    /** The shard's work ended by itself: it is taken again, under a new epoch, after a pause. */
    public synchronized void forget(ShardId shard) {
        leaving.remove(shard);
        if (held.remove(shard) != null) {
            later(shard);
        }
    }

    /** The shard's work ended because others are to have it, who may do so at once. */
    public synchronized void give(ShardId shard) {
        Held current = held.get(shard);
        forget(shard);
        if (current != null) {
            release(current);
        }
        if (company != null) {
            company.gave(shard);
        }
    }

    /** Who is there and holds what, as was seen last; nobody for a node that shares with nobody. Thread-safe. */
    public Census census() {
        return company == null ? Census.EMPTY : company.census();
    }

    /** Whether the node shares with others, and could say so when it tried last. Thread-safe. */
    public boolean sees() {
        return company != null && company.sees();
    }

    /** Whether the database answered when it was last asked for a lease, or who is there. Thread-safe. */
    public boolean reaches() {
        return answered && (company == null || !company.failed());
    }

    /** What was seen of the others isn't so: the next {@link #step} looks again. Thread-safe. */
    public void lookSoon() {
        if (company != null) {
            company.lookSoon();
        }
    }

    /** From now on only renews what it holds. */
    public void stopAcquiring() {
        acquiring = false;
    }

    /** Gives everything back; others may have it at once. */
    public synchronized void release() {
        held.values().forEach(this::release);
        held.clear();
        leaving.clear();
        if (company != null) {
            company.leave();
        }
    }

    private void release(Held current) {
        try {
            leases.release(current.lease);
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "a lease is left to run out: " + e.getMessage());
        }
    }

    private Instant next() {
        Instant next = clock.now().plus(config.renewal());
        if (company != null && acquiring) {
            next = earlier(company.lookAt(), next);
        }
        for (Shard shard : leases.shards()) {
            Held current = held.get(shard.id());
            if (current != null) {
                next = earlier(due(current, shard.id()), next);
            } else if (company == null) {
                next = earlier(retryAt.getOrDefault(shard.id(), next), next);
            }
        }
        return next;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private record Held(Lease lease, Instant renewAt) {}
}
