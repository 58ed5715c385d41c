package dev.flowstone.testkit.memory;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Dead letters in memory. */
final class InMemoryDeadLetterStore implements DeadLetterStore {
    private static final Comparator<Pair> ORDER =
            Comparator.comparing(Pair::receiver).thenComparing(Pair::sender);

    private final InMemoryDatabase database;

    InMemoryDeadLetterStore(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Failed failed(PoisonMessage poison, DeadLetterConfig config) {
        synchronized (database) {
            Instant now = database.clock.now();
            Optional<DeadLetterRow> known = named(poison.tenant(), poison.source(), poison.key());
            DeadLetterRow row = known.map(it ->
                            it.failed(poison.reason(), poison.payload(), poison.error(), now, config.maxRetries()))
                    .orElseGet(() -> first(poison, now, config));
            database.deadLetters.put(row.letter().id(), row);
            return new Failed(known.isEmpty(), row.letter().state() == State.DEAD);
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
        return new DeadLetterRow(letter, poison.slot(), poison.sender(), 0);
    }

    private Optional<DeadLetterRow> named(TenantId tenant, DeadSource source, String key) {
        return database.deadLetters.values().stream()
                .filter(row -> row.letter().tenant().equals(tenant)
                        && row.letter().source().equals(source)
                        && row.letter().key().equals(key))
                .findFirst();
    }

    @Override
    public Failed failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config) {
        synchronized (database) {
            Instant now = database.clock.now();
            Optional<DeadLetterRow> row =
                    change(tenant, id, it -> it.failed(reason, it.letter().payload(), error, now, config.maxRetries()));
            return new Failed(
                    false, row.filter(it -> it.letter().state() == State.DEAD).isPresent());
        }
    }

    @Override
    public void overtaken(TenantId tenant, long id, String error) {
        synchronized (database) {
            Instant now = database.clock.now();
            Optional<DeadLetterRow> _ = change(tenant, id, it -> it.overtaken(error, now));
        }
    }

    private Optional<DeadLetterRow> change(TenantId tenant, long id, UnaryOperator<DeadLetterRow> change) {
        return Optional.ofNullable(database.deadLetters.get(id))
                .filter(row -> row.letter().tenant().equals(tenant))
                .map(change)
                .map(row -> {
                    database.deadLetters.put(id, row);
                    return row;
                });
    }

    @Override
    public Taken take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config) {
        synchronized (database) {
            Instant now = database.clock.now();
            List<DeadLetterRow> due = database.deadLetters.values().stream()
                    .filter(row ->
                            row.letter().dueAt().filter(at -> !at.isAfter(now)).isPresent()
                                    && sources.contains(row.letter().source())
                                    && mine.stream().anyMatch(shard -> shard.holds(row.slot()))
                                    && database.deadLetters.values().stream().noneMatch(row::isBehind))
                    .sorted(Comparator.comparing(row -> row.letter().dueAt().orElse(now)))
                    .toList();
            List<DeadLetterRow> moved = inTurns(due)
                    .limit(limit)
                    .map(row -> row.retries() >= config.maxRetries() ? row.dead() : row.taken(now.plus(config.delay())))
                    .toList();
            moved.forEach(row -> database.deadLetters.put(row.letter().id(), row));
            Map<State, List<DeadLetter>> taken = moved.stream()
                    .map(DeadLetterRow::letter)
                    .sorted(Comparator.comparingLong(DeadLetter::id))
                    .collect(Collectors.groupingBy(DeadLetter::state));
            return new Taken(taken.getOrDefault(State.WAITING, List.of()), taken.getOrDefault(State.DEAD, List.of()));
        }
    }

    private record Line(DeadSource source, TenantId tenant) {}

    /** The first of each tenant and source, then the second of each, and so on. */
    private static Stream<DeadLetterRow> inTurns(List<DeadLetterRow> due) {
        Map<Line, Integer> lengths = new HashMap<>();
        SortedMap<Integer, List<DeadLetterRow>> turns = new TreeMap<>();
        for (DeadLetterRow row : due) {
            Line line = new Line(row.letter().source(), row.letter().tenant());
            turns.computeIfAbsent(lengths.merge(line, 1, Integer::sum), _ -> new ArrayList<>())
                    .add(row);
        }
        return turns.values().stream().flatMap(List::stream);
    }

    @Override
    public void resolved(TenantId tenant, long id) {
        gone(tenant, id, row -> true);
    }

    @Override
    public void resolved(DeadLetter taken) {
        gone(taken.tenant(), taken.id(), row -> row.letter().failedAt().equals(taken.failedAt()));
    }

    @Override
    public void postponed(List<Postponed> letters) {
        synchronized (database) {
            letters.forEach(it -> postponed(it.taken(), it.pause()));
        }
    }

    private void postponed(DeadLetter taken, Duration pause) {
        database.deadLetters.computeIfPresent(taken.id(), (_, row) -> {
            boolean same = row.letter().tenant().equals(taken.tenant())
                    && row.letter().state() == State.WAITING
                    && row.letter().attempts() == taken.attempts()
                    && row.letter().failedAt().equals(taken.failedAt())
                    && row.retries() >= 0;
            return same ? row.postponed(database.clock.now().plus(pause)) : row;
        });
    }

    @Override
    public int waiting(TenantId tenant, DeadSource source, int most) {
        synchronized (database) {
            return (int) database.deadLetters.values().stream()
                    .map(DeadLetterRow::letter)
                    .filter(letter -> letter.tenant().equals(tenant)
                            && letter.source().equals(source)
                            && letter.state() == State.WAITING)
                    .limit(most)
                    .count();
        }
    }

    private void gone(TenantId tenant, long id, Predicate<DeadLetterRow> meant) {
        synchronized (database) {
            DeadLetterRow row = database.deadLetters.get(id);
            if (row == null || !row.letter().tenant().equals(tenant) || !meant.test(row)) {
                return;
            }
            database.deadLetters.remove(id);
            database.deadLetters.values().stream()
                    .filter(it -> it.isBehind(row))
                    .findFirst()
                    .filter(it -> it.letter().state() == State.WAITING)
                    .ifPresent(next -> database.deadLetters.put(next.letter().id(), next.dueAt(database.clock.now())));
        }
    }

    @Override
    public void dueAgain(RunKey run, Set<DeadSource> sources) {
        synchronized (database) {
            Instant now = database.clock.now();
            database.deadLetters.replaceAll((_, row) -> row.letter().tenant().equals(run.tenant())
                            && row.letter().run().equals(Optional.of(run.run()))
                            && sources.contains(row.letter().source())
                    ? row.requeued(now)
                    : row);
        }
    }

    @Override
    public List<DeadLetter> behind(DeadLetter letter, int limit) {
        synchronized (database) {
            DeadLetterRow first = database.deadLetters.get(letter.id());
            return first == null
                    ? List.of()
                    : database.deadLetters.values().stream()
                            .filter(row -> row.isBehind(first))
                            .map(DeadLetterRow::letter)
                            .limit(limit)
                            .toList();
        }
    }

    @Override
    public List<Pair> pairs(Shard shard, Optional<Pair> after, int limit) {
        synchronized (database) {
            return database.deadLetters.values().stream()
                    .filter(row -> row.letter().source().equals(DeadSource.MESSAGE) && shard.holds(row.slot()))
                    .flatMap(row -> row.pair().stream())
                    .distinct()
                    .sorted(ORDER)
                    .filter(pair -> after.isEmpty() || ORDER.compare(pair, after.get()) > 0)
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean has(Pair pair) {
        synchronized (database) {
            return database.deadLetters.values().stream()
                    .anyMatch(row -> row.letter().source().equals(DeadSource.MESSAGE)
                            && row.pair().equals(Optional.of(pair)));
        }
    }

    @Override
    public List<Depth> depths(int most) {
        synchronized (database) {
            return database.deadLetters.values().stream()
                    .map(DeadLetterRow::letter)
                    .limit(most)
                    .collect(Collectors.groupingBy(letter -> List.of(letter.source(), letter.state())))
                    .values()
                    .stream()
                    .map(InMemoryDeadLetterStore::depth)
                    .toList();
        }
    }

    private static Depth depth(List<DeadLetter> alike) {
        Instant oldest = alike.stream()
                .map(DeadLetter::enqueuedAt)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return new Depth(alike.getFirst().source(), alike.getFirst().state(), alike.size(), oldest);
    }

    @Override
    public DeadLetters control() {
        return new InMemoryDeadLetters(database);
    }
}
