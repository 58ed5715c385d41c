package dev.flowstone.engine.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Subscriptions for those who send: of all tenants, a stream by the owner of its shard. */
public interface SubscriptionWork {
    /** Every active subscription with its cursor in each of these streams, by tenant, name and stream; without those that can't be read. */
    List<Assigned> assigned(Collection<Integer> streams) throws JournalException;

    /**
     * Moves a cursor over what was acknowledged, and records what failed, in one statement.
     *
     * @param to of the same turn, in the lease's stream
     * @return false if somebody has moved it by hand since it was read, or the subscription is gone: nothing has changed then
     * @throws JournalException.StaleEpoch if another has the shard
     */
    boolean advance(Lease lease, SubscriptionKey key, StreamCursor to) throws JournalException;

    /**
     * Stops a subscription that is active, in all streams, with a deed of the engine's.
     *
     * @param revision that was read; nothing changes if it is another one by now
     * @throws JournalException.StaleEpoch if another has the shard
     */
    void stop(Lease lease, SubscriptionKey key, long revision, State state, String reason) throws JournalException;

    /** How far subscriptions are behind, a tenant's or all, those furthest behind first, at most so many. */
    List<Lag> lags(Optional<TenantId> tenant, int limit) throws JournalException;

    /** How far one is behind; empty if there is none. */
    Optional<Lag> lag(SubscriptionKey key) throws JournalException;

    /** Those that are broken, by tenant and name, at most so many. */
    List<SubscriptionKey> broken(int limit) throws JournalException;

    /** A part of the work. */
    record Assigned(Subscription subscription, StreamCursor cursor) {
        public Assigned {
            requireNonNull(subscription);
            requireNonNull(cursor);
        }
    }

    /**
     * How far a subscription is behind.
     *
     * @param rows of the feed, in all streams, other tenants' among them
     * @param oldest when the first of them was committed
     */
    record Lag(SubscriptionKey key, State state, long rows, Optional<Instant> oldest) {
        public Lag {
            requireNonNull(key);
            requireNonNull(state);
            requireNonNull(oldest);
        }
    }
}
