package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.lease.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Somebody's thousands of dead letters delay nobody else's, and aren't read to find them. */
final class DeadLetterTurnsTest extends PostgresTest {
    private static final DeadSource TRIGGER = new DeadSource("trigger");
    private static final DeadLetterConfig HOURS = new DeadLetterConfig(true, "q", 3, Duration.ofHours(2));
    private static final int PLACES = 20;
    private static final int OTHERS = 40;

    /** Rows read in a table of 15,000: of each line its first, and some; in an index and in the table. */
    private static final long MOST = 2_000;

    private void fill() throws SQLException {
        admin(
                "ALTER TABLE flowstone.dead_letters SET (autovacuum_enabled = false)",
                """
                INSERT INTO flowstone.dead_letters
                    (tenant, source, key, slot, reason, payload, state, attempts, retries, due_at, last_error, enqueued_at, failed_at)
                SELECT 'acme', 'trigger', i, 7, 'EXHAUSTED', '{}', 'waiting', 1, 0,
                       now() + CASE WHEN i <= 5000 THEN -7200 + i ELSE i END * interval '1 second', 'over quota', now(), now()
                FROM generate_series(1, 15000) i
                """,
                """
                INSERT INTO flowstone.dead_letters
                    (tenant, source, key, slot, reason, payload, state, attempts, retries, due_at, last_error, enqueued_at, failed_at)
                SELECT 't' || i, 'message', i, 7, 'POISON', '{}', 'waiting', 1, 0, now(), 'no', now(), now()
                FROM generate_series(1, %d) i
                """.formatted(OTHERS),
                "ANALYZE flowstone.dead_letters");
    }

    @Test
    void thousandsOfOneTenantDelayNobodyAndAreNotRead() throws Exception {
        fill();
        List<Shard> shards = opened().ports().leases().shards();
        try (HikariDataSource pool = Pools.engine(
                config().withConnections(1, 1), Passwords.of(config()).engine())) {
            DeadLetterStore store = new PostgresDeadLetterStore(new Database(pool), new Database(pool));
            Set<String> others = new HashSet<>();
            for (int round = 1; round <= 3; round++) {
                long before = read(pool);
                List<DeadLetter> due = store.take(shards, Set.of(TRIGGER, DeadSource.MESSAGE), PLACES, HOURS)
                        .due();
                long rows = read(pool) - before;
                assertEquals(PLACES, due.size(), "round " + round);
                assertTrue(rows > 0 && rows <= MOST, () -> "it read " + rows + " rows");
                due.stream()
                        .filter(it -> it.source().equals(DeadSource.MESSAGE))
                        .forEach(it -> others.add(it.tenant().value()));
            }
            assertEquals(OTHERS, others.size());
        }
    }

    /** Rows read of the table and its indexes. */
    private long read(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            run(connection, "SELECT pg_stat_force_next_flush()");
            run(connection, "SELECT 1");
        }
        return number("""
                SELECT (SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables WHERE relname = 'dead_letters')
                     + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'dead_letters')
                """);
    }
}
