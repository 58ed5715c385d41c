package dev.flowstone.testkit.memory;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.effect.OutboxControl.Act;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Dead letters in memory, for people. */
final class InMemoryDeadLetters implements DeadLetters {
    private final InMemoryDatabase database;

    InMemoryDeadLetters(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<DeadLetter> list(TenantId tenant, Filter filter, long after, int limit) {
        synchronized (database) {
            return database.deadLetters.tailMap(after, false).values().stream()
                    .map(DeadLetterRow::letter)
                    .filter(letter -> letter.tenant().equals(tenant) && matches(filter, letter))
                    .limit(limit)
                    .toList();
        }
    }

    private static boolean matches(Filter filter, DeadLetter letter) {
        return is(filter.source(), letter.source())
                && is(filter.reason(), letter.reason())
                && is(filter.state(), letter.state())
                && (filter.run().isEmpty() || filter.run().equals(letter.run()))
                && (filter.id().isEmpty() || filter.id().getAsLong() == letter.id())
                && filter.failedBefore()
                        .map(before -> letter.failedAt().isBefore(before))
                        .orElse(true);
    }

    private static <T> boolean is(Optional<T> wanted, T value) {
        return wanted.map(value::equals).orElse(true);
    }

    @Override
    public Optional<DeadLetter> find(TenantId tenant, long id) {
        return list(tenant, Filter.of(id), 0, 1).stream().findFirst();
    }

    @Override
    public List<Done> deeds(TenantId tenant, long id, int limit) {
        synchronized (database) {
            return database.deadLetterDeeds.getOrDefault(new DeadLetterKey(tenant, id), List.of()).stream()
                    .sorted(Comparator.comparing(Done::at).reversed())
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed) {
        synchronized (database) {
            List<DeadLetter> chosen = list(tenant, filter, 0, limit);
            Instant due = database.clock.now();
            for (DeadLetter letter : chosen) {
                Instant at = due;
                database.deadLetters.computeIfPresent(letter.id(), (_, row) -> row.requeued(at));
                tell(letter, Act.REQUEUE, deed);
                due = due.plus(apart);
            }
            return chosen.size();
        }
    }

    @Override
    public int purge(TenantId tenant, Filter filter, int limit, Deed deed) {
        synchronized (database) {
            List<DeadLetter> chosen = list(tenant, filter, 0, limit);
            for (DeadLetter letter : chosen) {
                database.deadLetters.remove(letter.id());
                tell(letter, Act.PURGE, deed);
            }
            return chosen.size();
        }
    }

    /** Whose deeds. */
    record DeadLetterKey(TenantId tenant, long id) {}

    private void tell(DeadLetter letter, Act act, Deed deed) {
        database.deadLetterDeeds
                .computeIfAbsent(new DeadLetterKey(letter.tenant(), letter.id()), _ -> new ArrayList<>())
                .add(new Done(act, database.clock.now(), deed));
    }
}
