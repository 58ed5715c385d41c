package dev.flowstone.server.trigger;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A store that gives what it is given, and keeps what it is told. */
class FakeSchedules implements TriggerSchedules {
    static final Instant NOW = Instant.parse("2026-12-01T09:00:00.020Z");

    final List<Scheduled> waiting = new CopyOnWriteArrayList<>();
    final List<OpenTick> open = new CopyOnWriteArrayList<>();
    final List<Settled> settled = new CopyOnWriteArrayList<>();
    final List<Deferred> deferred = new CopyOnWriteArrayList<>();

    /** As they were asked for, parked ones included. */
    final List<Advance> advances = new CopyOnWriteArrayList<>();

    /** Whose ticks can't be claimed. */
    Optional<TriggerKey> poison = Optional.empty();

    boolean isHidden;

    /** Whether nobody can see what is due. */
    volatile boolean isBroken;

    /** How many times results can't be written. */
    final AtomicInteger failures = new AtomicInteger();

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public List<Scheduled> waiting(Collection<Lease> mine, Instant until, Collection<TenantId> without, int limit) {
        if (isBroken) {
            throw new StackOverflowError();
        }
        return waiting.stream()
                .filter(it -> !isHidden
                        && !it.lookAt().isAfter(until)
                        && !without.contains(it.key().tenant()))
                .limit(limit)
                .toList();
    }

    @Override
    public Set<UUID> advance(List<Advance> steps) throws JournalException {
        if (steps.stream().anyMatch(it -> !it.ticks().isEmpty() && poison.equals(Optional.of(it.trigger())))) {
            throw new JournalException.BadData("poison");
        }
        advances.addAll(steps);
        for (Advance step : steps) {
            waiting.replaceAll(it -> it.key().equals(step.trigger())
                    ? new Scheduled(
                            it.key(),
                            it.trigger(),
                            new Place(step.due(), it.place().since(), it.place().turn() + 1),
                            step.lookAt())
                    : it);
        }
        return steps.stream()
                .flatMap(it -> it.ticks().stream())
                .map(it -> it.arrival().id())
                .collect(Collectors.toSet());
    }

    @Override
    public List<OpenTick> open(
            Collection<Lease> mine, Instant now, Collection<TenantId> without, Collection<UUID> known, int limit) {
        Set<UUID> over = new HashSet<>(known);
        settled.forEach(it -> over.add(it.id()));
        deferred.forEach(it -> over.add(it.arrival().id()));
        return open.stream()
                .filter(it -> mine.stream().anyMatch(lease -> lease.shard().holds(it.slot()))
                        && !without.contains(it.arrival().trigger().tenant())
                        && !over.contains(it.arrival().id()))
                .limit(limit)
                .toList();
    }

    private void write() throws JournalException {
        if (failures.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
            throw new JournalException.Unavailable("down");
        }
    }

    @Override
    public void defer(List<Deferred> ticks) throws JournalException {
        write();
        deferred.addAll(ticks);
    }

    @Override
    public void close(List<Settled> ticks) throws JournalException {
        write();
        settled.addAll(ticks);
    }
}
