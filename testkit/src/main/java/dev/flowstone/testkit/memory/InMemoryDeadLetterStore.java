package dev.flowstone.testkit.memory;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Dead letters in memory. */
final class InMemoryDeadLetterStore implements DeadLetterStore {
    private final InMemoryDatabase database;

    InMemoryDeadLetterStore(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public void failed(PoisonMessage poison, DeadLetterConfig config) {
        synchronized (database) {
            Instant now = database.clock.now();
            Optional<DeadLetterRow> known = named(poison.tenant(), poison.source(), poison.key());
            DeadLetterRow row = known.map(it ->
                            it.failed(poison.reason(), poison.payload(), poison.error(), now, config.maxRetries()))
                    .orElseGet(() -> first(poison, now, config));
            database.deadLetters.put(row.letter().id(), row);
        }
    }

    private DeadLetterRow first(PoisonMessage poison, Instant now, DeadLetterConfig config) {
        boolean dead = config.maxRetries() == 0;
        DeadLetter letter = new DeadLetter(
                poison.tenant(),
                ++database.lastDeadLetter,
                poison.source(),
                poison.key(),
                poison.run(),
                poison.reason(),
                poison.payload(),
                dead ? State.DEAD : State.WAITING,
                1,
                dead ? Optional.empty() : Optional.of(now.plus(config.delay())),
                poison.error(),
                now,
                now);
        return new DeadLetterRow(letter, poison.slot(), 0);
    }

    private Optional<DeadLetterRow> named(TenantId tenant, DeadSource source, String key) {
        return database.deadLetters.values().stream()
                .filter(row -> row.letter().tenant().equals(tenant)
                        && row.letter().source().equals(source)
                        && row.letter().key().equals(key))
                .findFirst();
    }

    @Override
    public void failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config) {
        synchronized (database) {
            database.deadLetters.computeIfPresent(
                    id,
                    (_, row) -> row.letter().tenant().equals(tenant)
                            ? row.failed(
                                    reason, row.letter().payload(), error, database.clock.now(), config.maxRetries())
                            : row);
        }
    }

    @Override
    public List<DeadLetter> take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config) {
        synchronized (database) {
            Instant now = database.clock.now();
            List<DeadLetterRow> due = database.deadLetters.values().stream()
                    .filter(row ->
                            row.letter().dueAt().filter(at -> !at.isAfter(now)).isPresent()
                                    && sources.contains(row.letter().source())
                                    && mine.stream().anyMatch(shard -> shard.holds(row.slot())))
                    .sorted(Comparator.comparing(row -> row.letter().dueAt().orElse(now)))
                    .limit(limit)
                    .toList();
            List<DeadLetter> taken = new ArrayList<>();
            for (DeadLetterRow row : due) {
                boolean over = row.retries() >= config.maxRetries();
                DeadLetterRow next = over ? row.dead() : row.taken(now.plus(config.delay()));
                database.deadLetters.put(row.letter().id(), next);
                if (!over) {
                    taken.add(next.letter());
                }
            }
            taken.sort(Comparator.comparingLong(DeadLetter::id));
            return taken;
        }
    }

    @Override
    public void resolved(TenantId tenant, long id) {
        synchronized (database) {
            DeadLetterRow row = database.deadLetters.get(id);
            if (row != null && row.letter().tenant().equals(tenant)) {
                database.deadLetters.remove(id);
            }
        }
    }

    @Override
    public void resolved(TenantId tenant, DeadSource source, String key) {
        synchronized (database) {
            named(tenant, source, key)
                    .ifPresent(row -> database.deadLetters.remove(row.letter().id()));
        }
    }

    @Override
    public DeadLetters control() {
        return new InMemoryDeadLetters(database);
    }
}
