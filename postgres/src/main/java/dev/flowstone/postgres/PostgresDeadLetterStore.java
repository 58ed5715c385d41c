package dev.flowstone.postgres;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Dead letters as the engine's role, which sees those of all tenants. */
final class PostgresDeadLetterStore implements DeadLetterStore {
    private final Database engine;
    private final DeadLetters control;

    PostgresDeadLetterStore(Database engine, Database api) {
        this.engine = engine;
        this.control = new PostgresDeadLetters(api);
    }

    @Override
    public DeadLetters control() {
        return control;
    }

    private static final String FAILED = """
            INSERT INTO flowstone.dead_letters AS d
                (tenant, source, key, slot, run_id, sender, reason, payload, last_error, state, due_at, attempts, retries,
                 enqueued_at, failed_at)
            SELECT ?, ?, ?, ?, ?::uuid, ?::uuid, ?, ?, ?, CASE WHEN p.most = 0 THEN 'dead' ELSE 'waiting' END,
                   CASE WHEN p.most > 0 THEN p.now + ? * interval '1 microsecond' END, 1, 0, p.now, p.now
            FROM (SELECT ?::integer AS most, clock_timestamp() AS now) AS p
            ON CONFLICT (tenant, source, key) DO UPDATE
                SET reason = excluded.reason, payload = excluded.payload, last_error = excluded.last_error,
                    failed_at = excluded.failed_at,
                    state = CASE WHEN d.retries >= ? THEN 'dead' ELSE d.state END,
                    due_at = CASE WHEN d.retries >= ? THEN NULL ELSE d.due_at END
            RETURNING d.enqueued_at = d.failed_at, d.state = 'dead'
            """;

    @Override
    public Failed failed(PoisonMessage poison, DeadLetterConfig config) throws JournalException {
        return failure(FAILED, insert -> {
            insert.setString(1, poison.tenant().value());
            insert.setString(2, poison.source().name());
            insert.setString(3, poison.key());
            insert.setInt(4, poison.slot().number());
            insert.setObject(5, poison.run().map(RunId::value).orElse(null));
            insert.setObject(6, poison.sender().map(RunId::value).orElse(null));
            insert.setString(7, poison.reason().name());
            insert.setBytes(8, Json.write(poison.payload()));
            insert.setString(9, PostgresOutbox.storable(poison.error()));
            insert.setLong(10, micros(config));
            insert.setInt(11, config.maxRetries());
            insert.setInt(12, config.maxRetries());
            insert.setInt(13, config.maxRetries());
        });
    }

    private Failed failure(String sql, Database.Binding binding) throws JournalException {
        return engine.query(sql, binding, row -> new Failed(row.getBoolean(1), row.getBoolean(2))).stream()
                .findFirst()
                .orElse(Failed.NOTHING);
    }

    private static final String FAILED_AGAIN = """
            UPDATE flowstone.dead_letters d
            SET reason = ?, last_error = ?, failed_at = clock_timestamp(),
                state = CASE WHEN d.retries >= ? THEN 'dead' ELSE d.state END,
                due_at = CASE WHEN d.retries >= ? THEN NULL ELSE d.due_at END
            WHERE d.tenant = ? AND d.id = ?
            RETURNING false, d.state = 'dead'
            """;

    @Override
    public Failed failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config)
            throws JournalException {
        return failure(FAILED_AGAIN, update -> {
            update.setString(1, reason.name());
            update.setString(2, PostgresOutbox.storable(error));
            update.setInt(3, config.maxRetries());
            update.setInt(4, config.maxRetries());
            update.setString(5, tenant.value());
            update.setLong(6, id);
        });
    }

    private static final String OVERTAKEN = """
            UPDATE flowstone.dead_letters d
            SET reason = 'VALIDATION', last_error = ?, failed_at = clock_timestamp(), state = 'dead', due_at = NULL, sender = NULL
            WHERE d.tenant = ? AND d.id = ?
            """;

    @Override
    public void overtaken(TenantId tenant, long id, String error) throws JournalException {
        engine.change(OVERTAKEN, update -> {
            update.setString(1, PostgresOutbox.storable(error));
            update.setString(2, tenant.value());
            update.setLong(3, id);
        });
    }

    /**
     * Lines are found by steps along an index, not by reading the letters that are in them: whoever has many costs no more than whoever
     * has one. Of each line some more are looked at than its share, since others may be shorter; where there are more lines than
     * places, chance decides, so that none is always last.
     */
    private static final String TAKE = """
            WITH RECURSIVE waiting AS (
                (SELECT d.source, d.tenant, d.due_at
                 FROM flowstone.dead_letters d
                 WHERE d.state = 'waiting'
                 ORDER BY d.source, d.tenant, d.due_at
                 LIMIT 1)
                UNION ALL
                SELECT n.source, n.tenant, n.due_at
                FROM waiting w
                CROSS JOIN LATERAL (SELECT d.source, d.tenant, d.due_at
                                    FROM flowstone.dead_letters d
                                    WHERE d.state = 'waiting' AND (d.source, d.tenant) > (w.source, w.tenant)
                                    ORDER BY d.source, d.tenant, d.due_at
                                    LIMIT 1) n
            ), lines AS MATERIALIZED (
                SELECT w.source, w.tenant
                FROM waiting w
                WHERE w.due_at <= statement_timestamp() AND w.source = ANY (?::text[])
            ), due AS MATERIALIZED (
                SELECT f.tenant, f.id
                FROM lines l
                CROSS JOIN LATERAL (
                    SELECT d.tenant, d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS turn
                    FROM flowstone.dead_letters d
                    WHERE d.state = 'waiting' AND d.source = l.source AND d.tenant = l.tenant
                      AND d.due_at <= statement_timestamp()
                      AND EXISTS (SELECT
                                  FROM unnest(?::integer[], ?::integer[]) AS mine (first_slot, last_slot)
                                  WHERE d.slot BETWEEN mine.first_slot AND mine.last_slot)
                      AND NOT EXISTS (SELECT
                                      FROM flowstone.dead_letters e
                                      WHERE e.slot = d.slot AND e.tenant = d.tenant AND e.run_id = d.run_id
                                        AND e.sender = d.sender AND e.source = d.source AND e.id < d.id)
                    ORDER BY d.due_at, d.id
                    LIMIT (SELECT 1 + 10 * ?::integer / greatest(count(*), 1) FROM lines)
                ) f
                ORDER BY f.turn, random()
                LIMIT ?
            ), locked AS (
                SELECT d.tenant, d.id
                FROM due
                JOIN flowstone.dead_letters d ON d.tenant = due.tenant AND d.id = due.id
                WHERE d.state = 'waiting' AND d.due_at <= statement_timestamp()
                FOR UPDATE OF d SKIP LOCKED
            )
            UPDATE flowstone.dead_letters d
            SET state = CASE WHEN d.retries >= p.most THEN 'dead' ELSE 'waiting' END,
                attempts = CASE WHEN d.retries >= p.most THEN d.attempts ELSE d.attempts + 1 END,
                retries = CASE WHEN d.retries >= p.most THEN d.retries ELSE d.retries + 1 END,
                due_at = CASE WHEN d.retries >= p.most THEN NULL ELSE clock_timestamp() + ? * interval '1 microsecond' END
            FROM locked, (SELECT ?::integer AS most) AS p
            WHERE d.tenant = locked.tenant AND d.id = locked.id
            RETURNING\s""" + DeadLetterRows.COLUMNS;

    @Override
    public Taken take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config)
            throws JournalException {
        List<Shard> shards = List.copyOf(mine);
        Map<State, List<DeadLetter>> taken = engine
                .query(
                        TAKE,
                        update -> {
                            update.setObject(1, BinaryArray.texts(List.copyOf(sources), DeadSource::name));
                            update.setObject(2, BinaryArray.ints(shards, Shard::firstSlot));
                            update.setObject(3, BinaryArray.ints(shards, Shard::lastSlot));
                            update.setInt(4, limit);
                            update.setInt(5, limit);
                            update.setLong(6, micros(config));
                            update.setInt(7, config.maxRetries());
                        },
                        DeadLetterRows::letter)
                .stream()
                .sorted(Comparator.comparingLong(DeadLetter::id))
                .collect(Collectors.groupingBy(DeadLetter::state));
        return new Taken(taken.getOrDefault(State.WAITING, List.of()), taken.getOrDefault(State.DEAD, List.of()));
    }

    private static final String GONE = """
            WITH gone AS (
                DELETE FROM flowstone.dead_letters
                WHERE tenant = ? AND id = ?
            """;

    private static final String UNLESS_IT_FAILED = """
                  AND failed_at = ?
            """;

    private static final String NEXT_IS_DUE = """
                RETURNING tenant, slot, run_id, sender, source, id
            )
            UPDATE flowstone.dead_letters d
            SET due_at = clock_timestamp()
            FROM gone g
            WHERE d.tenant = g.tenant AND d.state = 'waiting'
              AND d.id = (SELECT min(e.id)
                          FROM flowstone.dead_letters e
                          WHERE e.slot = g.slot AND e.tenant = g.tenant AND e.run_id = g.run_id AND e.sender = g.sender
                            AND e.source = g.source AND e.id > g.id)
            """;

    private static final String RESOLVED = GONE + NEXT_IS_DUE;

    @Override
    public void resolved(TenantId tenant, long id) throws JournalException {
        engine.change(RESOLVED, delete -> {
            delete.setString(1, tenant.value());
            delete.setLong(2, id);
        });
    }

    private static final String RESOLVED_TAKEN = GONE + UNLESS_IT_FAILED + NEXT_IS_DUE;

    @Override
    public void resolved(DeadLetter taken) throws JournalException {
        engine.change(RESOLVED_TAKEN, delete -> {
            delete.setString(1, taken.tenant().value());
            delete.setLong(2, taken.id());
            delete.setObject(3, Times.parameter(taken.failedAt()));
        });
    }

    private static final String POSTPONED = """
            WITH meant AS (
                SELECT u.tenant, u.id, u.pause
                FROM unnest(?::text[], ?::bigint[], ?::integer[], ?::timestamptz[], ?::bigint[])
                     AS u (tenant, id, attempts, failed_at, pause)
                JOIN flowstone.dead_letters d ON d.tenant = u.tenant AND d.id = u.id
                WHERE d.state = 'waiting' AND d.attempts = u.attempts AND d.failed_at = u.failed_at AND d.retries >= 0
                ORDER BY d.tenant, d.id
                FOR UPDATE OF d
            )
            UPDATE flowstone.dead_letters d
            SET retries = d.retries - 1, due_at = clock_timestamp() + m.pause * interval '1 microsecond'
            FROM meant m
            WHERE d.tenant = m.tenant AND d.id = m.id
            """;

    @Override
    public void postponed(List<Postponed> letters) throws JournalException {
        engine.change(POSTPONED, update -> {
            update.setObject(
                    1, BinaryArray.texts(letters, it -> it.taken().tenant().value()));
            update.setObject(2, BinaryArray.longs(letters, it -> it.taken().id()));
            update.setObject(3, BinaryArray.ints(letters, it -> it.taken().attempts()));
            update.setObject(4, BinaryArray.times(letters, it -> it.taken().failedAt()));
            update.setObject(5, BinaryArray.longs(letters, it -> TimeUnit.MICROSECONDS.convert(it.pause())));
        });
    }

    private static final String WAITING = """
            SELECT count(*)
            FROM (SELECT
                  FROM flowstone.dead_letters d
                  WHERE d.state = 'waiting' AND d.source = ? AND d.tenant = ?
                  LIMIT ?) counted
            """;

    @Override
    public int waiting(TenantId tenant, DeadSource source, int most) throws JournalException {
        return engine.query(
                        WAITING,
                        query -> {
                            query.setString(1, source.name());
                            query.setString(2, tenant.value());
                            query.setInt(3, most);
                        },
                        row -> row.getInt(1))
                .getFirst();
    }

    private static final String DUE_AGAIN = """
            UPDATE flowstone.dead_letters d
            SET state = 'waiting', retries = -1, due_at = clock_timestamp()
            WHERE d.slot = ? AND d.tenant = ? AND d.run_id = ? AND d.source = ANY (?::text[])
            """;

    @Override
    public void dueAgain(RunKey run, Set<DeadSource> sources) throws JournalException {
        engine.change(DUE_AGAIN, update -> {
            update.setInt(1, run.run().slot().number());
            update.setString(2, run.tenant().value());
            update.setObject(3, run.run().value());
            update.setObject(4, BinaryArray.texts(List.copyOf(sources), DeadSource::name));
        });
    }

    private static final String BEHIND = "SELECT " + DeadLetterRows.COLUMNS + """

            FROM flowstone.dead_letters g
            JOIN flowstone.dead_letters d
              ON d.slot = g.slot AND d.tenant = g.tenant AND d.run_id = g.run_id AND d.sender = g.sender
             AND d.source = g.source AND d.id > g.id
            WHERE g.tenant = ? AND g.id = ?
            ORDER BY d.id
            LIMIT ?
            """;

    @Override
    public List<DeadLetter> behind(DeadLetter letter, int limit) throws JournalException {
        return engine.query(
                BEHIND,
                query -> {
                    query.setString(1, letter.tenant().value());
                    query.setLong(2, letter.id());
                    query.setInt(3, limit);
                },
                DeadLetterRows::letter);
    }

    private static final String PAIRS = """
            SELECT DISTINCT d.tenant, d.run_id, d.sender
            FROM flowstone.dead_letters d
            WHERE d.slot BETWEEN ? AND ? AND d.source = 'message' AND d.sender IS NOT NULL
              AND (d.tenant, d.run_id, d.sender) > (?, ?, ?)
            ORDER BY d.tenant, d.run_id, d.sender
            LIMIT ?
            """;

    private static final UUID LEAST = new UUID(0, 0);

    @Override
    public List<Pair> pairs(Shard shard, Optional<Pair> after, int limit) throws JournalException {
        return engine.query(
                PAIRS,
                query -> {
                    query.setInt(1, shard.firstSlot());
                    query.setInt(2, shard.lastSlot());
                    query.setString(
                            3,
                            after.map(pair -> pair.receiver().tenant().value()).orElse(""));
                    query.setObject(
                            4, after.map(pair -> pair.receiver().run().value()).orElse(LEAST));
                    query.setObject(5, after.map(pair -> pair.sender().value()).orElse(LEAST));
                    query.setInt(6, limit);
                },
                row -> new Pair(
                        PostgresJournal.key(row.getString(1), row.getObject(2, UUID.class)),
                        new RunId(row.getObject(3, UUID.class))));
    }

    private static final String HAS = """
            SELECT EXISTS (SELECT
                           FROM flowstone.dead_letters d
                           WHERE d.slot = ? AND d.tenant = ? AND d.run_id = ? AND d.sender = ? AND d.source = 'message')
            """;

    @Override
    public boolean has(Pair pair) throws JournalException {
        return engine.query(
                        HAS,
                        query -> {
                            query.setInt(1, pair.receiver().run().slot().number());
                            query.setString(2, pair.receiver().tenant().value());
                            query.setObject(3, pair.receiver().run().value());
                            query.setObject(4, pair.sender().value());
                        },
                        row -> row.getBoolean(1))
                .getFirst();
    }

    private static final String DEPTHS = """
            SELECT source, state, count(*), min(enqueued_at)
            FROM (SELECT source, state, enqueued_at FROM flowstone.dead_letters LIMIT ?) counted
            GROUP BY source, state
            """;

    @Override
    public List<Depth> depths(int most) throws JournalException {
        return engine.query(
                DEPTHS,
                query -> query.setInt(1, most),
                row -> new Depth(
                        new DeadSource(row.getString(1)),
                        DeadLetterRows.state(row.getString(2)),
                        row.getLong(3),
                        Times.instant(row, 4)));
    }

    private static long micros(DeadLetterConfig config) {
        return config.delay().toNanos() / 1_000;
    }
}
