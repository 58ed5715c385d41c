package dev.flowstone.engine.ownership;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes every free shard, renews what it holds at a third of the time to live, and says when a shard was won, kept or
 * lost. What it holds comes first: however many shards are hard to get, they don't cost it those that it has. One thread at
 * a time calls it; it has none of its own.
 */
public final class LeaseKeeper {
    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());

    private final Leases leases;
    private final LeaseConfig config;
    private final String holder;
    private final Clock clock;
    private final Owner owner;
    private final Map<ShardId, Held> held = new HashMap<>();
    private final Map<ShardId, Instant> retryAt = new HashMap<>();
    private volatile boolean acquiring = true;

    public LeaseKeeper(Leases leases, LeaseConfig config, String holder, Clock clock, Owner owner) {
        this.leases = requireNonNull(leases);
        this.config = requireNonNull(config);
        this.holder = requireNonNull(holder);
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
        for (Shard shard : leases.shards()) {
            if (acquiring && isWanted(shard.id())) {
                keep(shard.id(), () -> acquire(shard.id()));
                // That may have taken a moment, and many moments are longer than a lease.
                renew();
            }
        }
        return next();
    }

    private void renew() {
        for (Shard shard : leases.shards()) {
            Held current = held.get(shard.id());
            if (current != null && !clock.now().isBefore(due(current, shard.id()))) {
                keep(shard.id(), () -> renew(current));
            }
        }
    }

    private boolean isWanted(ShardId shard) {
        Instant wait = retryAt.get(shard);
        return !held.containsKey(shard) && (wait == null || !clock.now().isBefore(wait));
    }

    /** What is asked of the database for one shard. */
    @FunctionalInterface
    private interface Asking {
        void ask() throws JournalException;
    }

    private void keep(ShardId shard, Asking asking) {
        try {
            asking.ask();
        } catch (JournalException e) {
            failed(shard, e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the lease of shard " + shard + " can't be kept", e);
            later(shard);
        }
    }

    private void failed(ShardId shard, JournalException failure) {
        switch (failure) {
            case JournalException.StaleEpoch stale -> lost(shard);
            // Whether it was prolonged doesn't matter: its old end counts, and whoever holds it may take it again.
            case JournalException.Unavailable _,
                    JournalException.UnknownOutcome _,
                    JournalException.SubjectTaken _,
                    JournalException.BadData _ -> {
                LOG.log(Level.WARNING, "the lease of shard " + shard + " can't be reached: " + failure.getMessage());
                later(shard);
            }
        }
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
        if (held.remove(shard) != null) {
            later(shard);
        }
    }

    /** From now on only renews what it holds. */
    public void stopAcquiring() {
        acquiring = false;
    }

    /** Gives everything back; others may have it at once. */
    public synchronized void release() {
        for (Held current : List.copyOf(held.values())) {
            try {
                leases.release(current.lease);
            } catch (JournalException | RuntimeException e) {
                LOG.log(Level.WARNING, "a lease is left to run out: " + e.getMessage());
            }
        }
        held.clear();
    }

    private Instant next() {
        Instant next = clock.now().plus(config.renewal());
        for (Shard shard : leases.shards()) {
            Held current = held.get(shard.id());
            Instant due = current != null ? due(current, shard.id()) : retryAt.getOrDefault(shard.id(), next);
            next = due.isBefore(next) ? due : next;
        }
        return next;
    }

    private record Held(Lease lease, Instant renewAt) {}
}
