package dev.flowstone.engine.subscription;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A place that keeps no subscriptions: there are none, and none can be made. */
final class NoSubscriptions implements Subscriptions, SubscriptionWork {
    @Override
    public List<Standing> list(TenantId tenant, Optional<SubscriptionName> after, int limit) {
        return List.of();
    }

    @Override
    public Optional<Standing> find(SubscriptionKey key) {
        return Optional.empty();
    }

    @Override
    public List<Done> deeds(SubscriptionKey key, int limit) {
        return List.of();
    }

    @Override
    public Change put(SubscriptionKey key, Wish wish, Map<Integer, FeedPlace> begin, OptionalLong expected, Deed deed)
            throws JournalException {
        throw new JournalException.Unavailable("no subscriptions are kept here");
    }

    @Override
    public Change pause(SubscriptionKey key, OptionalLong expected, Deed deed) {
        return new Change.Unknown();
    }

    @Override
    public Change resume(SubscriptionKey key, OptionalLong expected, Deed deed) {
        return new Change.Unknown();
    }

    @Override
    public Change move(
            SubscriptionKey key, Map<Integer, FeedPlace> to, String detail, OptionalLong expected, Deed deed) {
        return new Change.Unknown();
    }

    @Override
    public Change skip(SubscriptionKey key, Optional<String> event, OptionalLong expected, Deed deed) {
        return new Change.Unknown();
    }

    @Override
    public Change remove(SubscriptionKey key, OptionalLong expected, Deed deed) {
        return new Change.Unknown();
    }

    @Override
    public Map<Integer, FeedPlace> before(Collection<Integer> streams, Instant at) {
        return Map.of();
    }

    @Override
    public SubscriptionWork work() {
        return this;
    }

    @Override
    public List<Assigned> assigned(Collection<Integer> streams) {
        return List.of();
    }

    @Override
    public boolean advance(Lease lease, SubscriptionKey key, StreamCursor to) {
        return false;
    }

    @Override
    public void stop(Lease lease, SubscriptionKey key, long revision, State state, String reason) {
        // There is none to stop.
    }

    @Override
    public List<Lag> lags(Optional<TenantId> tenant, int limit) {
        return List.of();
    }

    @Override
    public Optional<Lag> lag(SubscriptionKey key) {
        return Optional.empty();
    }

    @Override
    public List<SubscriptionKey> broken(int limit) {
        return List.of();
    }
}
