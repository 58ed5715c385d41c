package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/**
 * A timer that goes is found by its name and due ones by their time, also where nothing is in the table that the planner counts, and
 * a snapshot that is held open keeps thousands that have gone (cases.md 28).
 */
final class TimerPlanTest extends PostgresTest {
    private static final String GONE = """
            PREPARE gone (text[], uuid[], text[]) AS
            DELETE FROM flowstone.timers t
            USING (SELECT unnest($1) AS tenant, unnest($2) AS run_id, unnest($3) AS timer_id) AS u
            WHERE t.tenant = u.tenant AND t.run_id = u.run_id AND t.timer_id = u.timer_id
            """;

    private static final String DUE = """
            PREPARE due (timestamptz, text, uuid, text) AS
            SELECT tenant, run_id, timer_id FROM flowstone.timers
            WHERE slot BETWEEN 0 AND 63 AND due_at < $1 AND (due_at, tenant, run_id, timer_id) > ($1, $2, $3, $4)
            ORDER BY due_at, tenant, run_id, timer_id
            LIMIT 100
            """;

    private static String plan(Connection connection, String execute) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement explain = connection.createStatement();
                ResultSet lines = explain.executeQuery("EXPLAIN EXECUTE " + execute)) {
            while (lines.next()) {
                text.append(lines.getString(1)).append('\n');
            }
        }
        return text.toString();
    }

    @Test
    void whatHasGoneDoesNotStandInTheWay() throws Exception {
        // The key's index is the larger one, as it is where runs come in the order of time.
        admin("""
                INSERT INTO flowstone.timers (tenant, run_id, timer_id, slot, generation, due_at)
                SELECT 'acme', gen_random_uuid(), 'deadline', mod(i, 4096), 1, now() + i * interval '1 second'
                FROM generate_series(1, 20000) AS i
                """);
        try (HeldSnapshot _ = HeldSnapshot.of(config())) {
            admin("DELETE FROM flowstone.timers");
            admin("VACUUM (ANALYZE) flowstone.timers");
            try (Connection connection = TestServer.admin(config())) {
                run(
                        connection,
                        "SET enable_seqscan = off",
                        "SET enable_hashjoin = off",
                        "SET enable_mergejoin = off",
                        "SET plan_cache_mode = force_generic_plan",
                        GONE,
                        DUE);
                String gone = plan(connection, "gone ('{}', '{}', '{}')");
                assertTrue(gone.contains("timers_pkey"), gone);
                assertFalse(gone.contains("timers_due"), gone);
                String due = plan(connection, "due (now(), '', '00000000-0000-0000-0000-000000000000', '')");
                assertTrue(due.contains("timers_due"), due);
                assertFalse(due.contains("Sort"), due);
            }
        }
    }
}
