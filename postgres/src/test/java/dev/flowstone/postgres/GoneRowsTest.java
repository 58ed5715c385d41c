package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.testkit.conformance.MoveBuilder;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A timer that goes is found by its name, also where a snapshot that is held open keeps thousands that have gone in a table which the
 * planner takes for empty (cases.md 28).
 */
final class GoneRowsTest extends PostgresTest {
    private static final int GONE = 20_000;

    /** Of the table and its indexes. Reading all of it would be some hundred. */
    private static final int MOST_BLOCKS = 60;

    private long blocks(HikariDataSource session) throws Exception {
        try (Connection connection = session.getConnection()) {
            run(connection, "SELECT pg_stat_force_next_flush()", "SELECT 1");
        }
        return number("""
                SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read
                FROM pg_statio_user_tables WHERE schemaname = 'flowstone' AND relname = 'timers'
                """);
    }

    private static int commit(PostgresJournal journal, Lease lease, MoveBuilder move) throws Exception {
        return journal.commit(Moves.commit(lease, List.of(move.entry(1).build())))
                .moved()
                .size();
    }

    @Test
    void whatHasGoneDoesNotStandInTheWay() throws Exception {
        Lease lease = lease(0);
        admin("""
                INSERT INTO flowstone.timers (tenant, run_id, timer_id, slot, generation, due_at)
                SELECT 'acme', gen_random_uuid(), 'deadline', mod(i, 4096), 1, now() + i * interval '1 second'
                FROM generate_series(1, %d) AS i
                """.formatted(GONE));
        String password = Passwords.of(config()).engine();
        Instant now = Instant.now();
        Instant later = now.plusSeconds(3_600);
        try (HeldSnapshot _ = HeldSnapshot.of(config());
                HikariDataSource session = Pools.engine(config().withConnections(1, 1), password)) {
            PostgresJournal journal = new PostgresJournal(
                    new Database(session),
                    id -> opened().ports().leases().shards().get(id.number()));
            admin(
                    "ALTER TABLE flowstone.timers SET (autovacuum_enabled = off)",
                    "DELETE FROM flowstone.timers",
                    "VACUUM (ANALYZE) flowstone.timers",
                    "SELECT pg_stat_force_next_flush()", // what this session read is counted before the first turn,
                    "SELECT 1"); // and nobody else's vacuum is counted in one
            for (int i = 0; i < 8; i++) { // also with a plan that is kept by now
                RunKey run = Moves.run(lease);
                long before = blocks(session);
                assertEquals(1, commit(journal, lease, new MoveBuilder(run, 0, now).timer("deadline", 1, later)));
                assertEquals(1, commit(journal, lease, new MoveBuilder(run, 1, now).timerGone("deadline")));
                long looked = blocks(session) - before;
                assertTrue(looked > 0, "it was seen");
                assertTrue(looked <= MOST_BLOCKS, () -> "a timer that goes costs " + looked + " blocks");
            }
        }
        assertEquals(0, number("SELECT count(*) FROM flowstone.timers"));
    }
}
