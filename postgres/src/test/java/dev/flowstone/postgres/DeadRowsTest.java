package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.DeadRows;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who keeps dead rows from going, and how many there are, is seen by the engine's role, which may see nothing else of others. */
final class DeadRowsTest extends PostgresTest {
    private DeadRows read() throws Exception {
        return opened().deadRows().read();
    }

    @Test
    void nobodyHoldsASnapshotOfAQuietDatabase() throws Exception {
        assertEquals(Optional.of(Duration.ZERO), read().oldestSnapshot());
    }

    @Test
    void anotherRolesSnapshotIsSeenUntilItIsGivenBack() throws Exception {
        Duration held;
        try (HeldSnapshot snapshot = HeldSnapshot.of(config())) {
            assertEquals(0, snapshot.runs());
            admin("SELECT pg_sleep(0.05)");
            held = read().oldestSnapshot().orElseThrow();
        }

        assertTrue(held.compareTo(Duration.ofMillis(50)) >= 0, held::toString);
        assertEquals(Optional.of(Duration.ZERO), read().oldestSnapshot());
    }

    @Test
    void aTransactionThatOnlyIsOpenHoldsNothingBack() throws Exception {
        try (Connection idle = TestServer.admin(config())) {
            run(idle, "BEGIN");

            assertEquals(Optional.of(Duration.ZERO), read().oldestSnapshot());

            run(idle, "SELECT pg_current_xact_id()");
            assertTrue(read().oldestSnapshot().orElseThrow().isPositive(), "it has an id, which does");
        }
    }

    @Test
    void itIsUnknownWhereTheOwnerMayNotLook() throws Exception {
        try (Connection admin = TestServer.admin(config())) {
            admin.setAutoCommit(false);
            run(admin, "REVOKE pg_read_all_stats FROM flowstone_owner");

            assertEquals(
                    0, number(admin, "SELECT count(*) FROM flowstone.oldest_snapshot() WHERE known"), "and says so");

            admin.rollback();
        }
    }

    @Test
    void whatASnapshotKeepsIsCountedByTable() throws Exception {
        admin("INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                + " SELECT 'a', 's', 'k' || i, gen_random_uuid(), 1, 'k', '{}', now() FROM generate_series(1, 300) i");
        try (HeldSnapshot _ = HeldSnapshot.of(config())) {
            admin("DELETE FROM flowstone.inbox", "SELECT pg_stat_force_next_flush()", "SELECT 1");

            assertEquals(300L, read().tables().get("inbox"));
            admin("VACUUM flowstone.inbox");
            assertEquals(300L, read().tables().get("inbox"), "none of them can go while it is held");
        }

        assertEquals(0L, deadAfterVacuum(), "and all can once it is given back");
    }

    /**
     * The database's own look at one of its tables, which may have begun just before, keeps dead rows for as long as it takes: that
     * isn't what is tested, so that it is waited for.
     */
    private long deadAfterVacuum() throws Exception {
        Instant patience = Instant.now().plusSeconds(30);
        while (true) {
            admin("VACUUM flowstone.inbox");
            long dead = read().tables().getOrDefault("inbox", -1L);
            if (dead == 0 || Instant.now().isAfter(patience)) {
                return dead;
            }
            admin("SELECT pg_sleep(0.05)");
        }
    }

    @Test
    void theMonthsOfTheJournalAreOneTable() throws Exception {
        DeadRows rows = read();

        assertTrue(rows.tables().containsKey("entries"), rows::toString);
        assertTrue(rows.tables().keySet().stream().noneMatch(name -> name.startsWith("entries_")), rows::toString);
    }
}
