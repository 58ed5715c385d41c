package dev.flowstone.testkit.memory;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The outbox in memory, for people. */
final class InMemoryOutboxControl implements OutboxControl {
    private final InMemoryDatabase database;

    InMemoryOutboxControl(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<Entry> list(TenantId tenant, Filter filter, Optional<OutboxKey> after, int limit) {
        synchronized (database) {
            return chosen(tenant, filter)
                    .filter(entry -> after.isEmpty() || entry.key().compareTo(after.get()) > 0)
                    .limit(limit)
                    .toList();
        }
    }

    private Stream<Entry> chosen(TenantId tenant, Filter filter) {
        return database.outbox.entrySet().stream()
                .filter(row -> row.getKey().run().tenant().equals(tenant))
                .map(InMemoryOutboxControl::entry)
                .filter(entry -> is(filter.state(), entry.state())
                        && is(filter.destination(), entry.destination())
                        && (filter.reason().isEmpty() || filter.reason().equals(entry.reason()))
                        && is(filter.run(), entry.key().run().run())
                        && is(filter.key(), entry.key())
                        && filter.failedBefore()
                                .map(before ->
                                        entry.failedAt().orElse(entry.dueAt()).isBefore(before))
                                .orElse(true));
    }

    private static <T> boolean is(Optional<T> wanted, T value) {
        return wanted.map(value::equals).orElse(true);
    }

    private static Entry entry(Map.Entry<OutboxKey, InMemoryDatabase.OutboxRow> of) {
        InMemoryDatabase.OutboxRow row = of.getValue();
        return new Entry(
                of.getKey(),
                row.pending().message().destination(),
                row.death().isPresent() ? State.DEAD : State.PENDING,
                row.pending().attempt() - 1,
                row.due(),
                row.death(),
                row.error(),
                row.failedAt());
    }

    @Override
    public Optional<Story> story(OutboxKey key) {
        synchronized (database) {
            Optional<InMemoryDatabase.OutboxRow> row = Optional.ofNullable(database.outbox.get(key));
            List<Attempt> attempts = new ArrayList<>(database.deliveries.getOrDefault(key, List.of()));
            attempts.sort(Comparator.comparingInt(Attempt::attempt).reversed());
            List<Done> deeds = new ArrayList<>(database.deeds.getOrDefault(key, List.of()));
            deeds.sort(Comparator.comparing(Done::at).reversed());
            return row.isEmpty() && attempts.isEmpty() && deeds.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Story(
                            row.map(found -> entry(Map.entry(key, found))),
                            row.map(found -> found.pending().message().content()),
                            attempts.stream().limit(Story.MOST_TOLD).toList(),
                            deeds.stream().limit(Story.MOST_TOLD).toList()));
        }
    }

    @Override
    public int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed) {
        synchronized (database) {
            List<OutboxKey> dead = dead(tenant, filter, limit);
            Instant due = database.clock.now();
            for (OutboxKey key : dead) {
                InMemoryDatabase.OutboxRow row = InMemoryDatabase.table(database.outbox, key);
                Outbox.Pending before = row.pending();
                database.outbox.put(
                        key,
                        new InMemoryDatabase.OutboxRow(
                                new Outbox.Pending(
                                        before.run(), before.message(), 0, before.before() + before.attempts()),
                                due,
                                Optional.empty(),
                                row.error(),
                                row.failedAt()));
                tell(key, Act.REQUEUE, deed);
                due = due.plus(apart);
            }
            return dead.size();
        }
    }

    @Override
    public int purge(TenantId tenant, Filter filter, int limit, Deed deed) {
        synchronized (database) {
            List<OutboxKey> dead = dead(tenant, filter, limit);
            for (OutboxKey key : dead) {
                database.outbox.remove(key);
                tell(key, Act.PURGE, deed);
            }
            return dead.size();
        }
    }

    private List<OutboxKey> dead(TenantId tenant, Filter filter, int limit) {
        return chosen(tenant, filter)
                .filter(entry -> entry.state() == State.DEAD)
                .limit(limit)
                .map(Entry::key)
                .toList();
    }

    private void tell(OutboxKey key, Act act, Deed deed) {
        database.deeds.computeIfAbsent(key, any -> new ArrayList<>()).add(new Done(act, database.clock.now(), deed));
    }
}
