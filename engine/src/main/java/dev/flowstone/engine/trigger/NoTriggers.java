package dev.flowstone.engine.trigger;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** A place that keeps no triggers: there are none, and none can be made. */
final class NoTriggers implements Triggers, TriggerDeliveries, TriggerSchedules, EventTriggers {
    @Override
    public List<Trigger> list(TenantId tenant, Filter filter, Optional<TriggerId> after, int limit) {
        return List.of();
    }

    @Override
    public Optional<Trigger> find(TriggerKey key) {
        return Optional.empty();
    }

    @Override
    public Change create(
            TriggerKey key,
            WorkflowId workflow,
            TriggerKind kind,
            boolean enabled,
            Wish wish,
            Optional<Request> request,
            Actor by)
            throws JournalException {
        throw new JournalException.Unavailable("no triggers are kept here");
    }

    @Override
    public Change update(TriggerKey key, Optional<Boolean> enabled, Wish wish, OptionalLong expected, Actor by) {
        return new Change.Unknown();
    }

    @Override
    public Change enable(TriggerKey key, boolean enabled, OptionalLong expected, Actor by) {
        return new Change.Unknown();
    }

    @Override
    public Change remove(TriggerKey key, OptionalLong expected) {
        return new Change.Unknown();
    }

    @Override
    public List<Armed> armed(List<TriggerId> ids) {
        return List.of();
    }

    @Override
    public TriggerDeliveries deliveries() {
        return this;
    }

    @Override
    public TriggerSchedules schedules() {
        return this;
    }

    @Override
    public EventTriggers events() {
        return this;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    @Override
    public List<Scheduled> waiting(Collection<Lease> mine, Instant until, Collection<TenantId> without, int limit) {
        return List.of();
    }

    @Override
    public Set<UUID> advance(List<Advance> advances) {
        return Set.of();
    }

    @Override
    public List<OpenTick> open(
            Collection<Lease> mine, Instant now, Collection<TenantId> without, Collection<UUID> known, int limit) {
        return List.of();
    }

    @Override
    public void defer(List<Deferred> ticks) {
        // There are none.
    }

    @Override
    public void close(List<Settled> settled) {
        // There are none.
    }

    @Override
    public List<Listening> listening() {
        return List.of();
    }

    @Override
    public List<Listening> listening(TenantId tenant) {
        return List.of();
    }

    @Override
    public Map<Integer, FeedPlace> places(Collection<Integer> streams) {
        return Map.of();
    }

    @Override
    public void advance(Lease lease, FeedPlace place) throws JournalException {
        throw new JournalException.Unavailable("no triggers are kept here");
    }

    @Override
    public Map<UUID, TriggerDeliveries.Claim> claim(List<Arrival> arrivals) throws JournalException {
        throw new JournalException.Unavailable("no triggers are kept here");
    }

    @Override
    public void settle(List<Settled> settled) {
        // Nothing was claimed.
    }

    @Override
    public List<Delivery> list(TriggerKey trigger, Optional<UUID> before, int limit) {
        return List.of();
    }
}
