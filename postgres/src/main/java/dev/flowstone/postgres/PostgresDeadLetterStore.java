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
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

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
                (tenant, source, key, slot, run_id, reason, payload, last_error, state, due_at, attempts, retries, enqueued_at,
                 failed_at)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN p.most = 0 THEN 'dead' ELSE 'waiting' END,
                   CASE WHEN p.most > 0 THEN p.now + ? * interval '1 microsecond' END, 1, 0, p.now, p.now
            FROM (SELECT ?::integer AS most, clock_timestamp() AS now) AS p
            ON CONFLICT (tenant, source, key) DO UPDATE
                SET reason = excluded.reason, payload = excluded.payload, last_error = excluded.last_error,
                    failed_at = excluded.failed_at,
                    state = CASE WHEN d.retries >= ? THEN 'dead' ELSE d.state END,
                    due_at = CASE WHEN d.retries >= ? THEN NULL ELSE d.due_at END
            """;

    @Override
    public void failed(PoisonMessage poison, DeadLetterConfig config) throws JournalException {
        engine.change(FAILED, insert -> {
            insert.setString(1, poison.tenant().value());
            insert.setString(2, poison.source().name());
            insert.setString(3, poison.key());
            insert.setInt(4, poison.slot().number());
            insert.setObject(5, poison.run().map(RunId::value).orElse(null));
            insert.setString(6, poison.reason().name());
            insert.setBytes(7, Json.write(poison.payload()));
            insert.setString(8, PostgresOutbox.storable(poison.error()));
            insert.setLong(9, micros(config));
            insert.setInt(10, config.maxRetries());
            insert.setInt(11, config.maxRetries());
            insert.setInt(12, config.maxRetries());
        });
    }

    private static final String FAILED_AGAIN = """
            UPDATE flowstone.dead_letters d
            SET reason = ?, last_error = ?, failed_at = clock_timestamp(),
                state = CASE WHEN d.retries >= ? THEN 'dead' ELSE d.state END,
                due_at = CASE WHEN d.retries >= ? THEN NULL ELSE d.due_at END
            WHERE d.tenant = ? AND d.id = ?
            """;

    @Override
    public void failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config)
            throws JournalException {
        engine.change(FAILED_AGAIN, update -> {
            update.setString(1, reason.name());
            update.setString(2, PostgresOutbox.storable(error));
            update.setInt(3, config.maxRetries());
            update.setInt(4, config.maxRetries());
            update.setString(5, tenant.value());
            update.setLong(6, id);
        });
    }

    private static final String TAKE = """
            WITH due AS (
                SELECT d.tenant, d.id
                FROM flowstone.dead_letters d
                WHERE d.state = 'waiting' AND d.due_at <= clock_timestamp() AND d.source = ANY (?::text[])
                  AND EXISTS (SELECT
                              FROM unnest(?::integer[], ?::integer[]) AS mine (first_slot, last_slot)
                              WHERE d.slot BETWEEN mine.first_slot AND mine.last_slot)
                ORDER BY d.due_at, d.id
                LIMIT ?
                FOR UPDATE SKIP LOCKED
            )
            UPDATE flowstone.dead_letters d
            SET state = CASE WHEN d.retries >= p.most THEN 'dead' ELSE 'waiting' END,
                attempts = CASE WHEN d.retries >= p.most THEN d.attempts ELSE d.attempts + 1 END,
                retries = CASE WHEN d.retries >= p.most THEN d.retries ELSE d.retries + 1 END,
                due_at = CASE WHEN d.retries >= p.most THEN NULL ELSE clock_timestamp() + ? * interval '1 microsecond' END
            FROM due, (SELECT ?::integer AS most) AS p
            WHERE d.tenant = due.tenant AND d.id = due.id
            RETURNING\s""" + DeadLetterRows.COLUMNS;

    @Override
    public List<DeadLetter> take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config)
            throws JournalException {
        List<Shard> shards = List.copyOf(mine);
        return engine
                .query(
                        TAKE,
                        update -> {
                            update.setObject(1, BinaryArray.texts(List.copyOf(sources), DeadSource::name));
                            update.setObject(2, BinaryArray.ints(shards, Shard::firstSlot));
                            update.setObject(3, BinaryArray.ints(shards, Shard::lastSlot));
                            update.setInt(4, limit);
                            update.setLong(5, micros(config));
                            update.setInt(6, config.maxRetries());
                        },
                        DeadLetterRows::letter)
                .stream()
                .filter(letter -> letter.state() == State.WAITING)
                .sorted(Comparator.comparingLong(DeadLetter::id))
                .toList();
    }

    private static final String RESOLVED = "DELETE FROM flowstone.dead_letters WHERE tenant = ? AND id = ?";

    @Override
    public void resolved(TenantId tenant, long id) throws JournalException {
        engine.change(RESOLVED, delete -> {
            delete.setString(1, tenant.value());
            delete.setLong(2, id);
        });
    }

    private static final String RESOLVED_NAMED =
            "DELETE FROM flowstone.dead_letters WHERE tenant = ? AND source = ? AND key = ?";

    @Override
    public void resolved(TenantId tenant, DeadSource source, String key) throws JournalException {
        engine.change(RESOLVED_NAMED, delete -> {
            delete.setString(1, tenant.value());
            delete.setString(2, source.name());
            delete.setString(3, key);
        });
    }

    private static long micros(DeadLetterConfig config) {
        return config.delay().toNanos() / 1_000;
    }
}
