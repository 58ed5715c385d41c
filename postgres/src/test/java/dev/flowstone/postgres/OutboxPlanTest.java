package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is due is found along the index of destinations, and suspended runs by their mark, whatever the planner believes. */
final class OutboxPlanTest extends PostgresTest {
    private static final int MESSAGES = 5_000;

    @BeforeEach
    void fill() throws Exception {
        admin("""
                INSERT INTO flowstone.outbox (tenant, run_id, cause_seq, ordinal, slot, shard, destination, content, state, attempts, due_at)
                SELECT 'acme', gen_random_uuid(), 1, 0, mod(i, 4096), mod(i, 4096) / 2048, CASE WHEN mod(i, 100) = 0 THEN 'shop' ELSE 'poison' END, '{}',
                       'pending', 0, now() - i * interval '1 second'
                FROM generate_series(1, %s) AS i
                """.formatted(MESSAGES), "ANALYZE flowstone.outbox, flowstone.timers");
    }

    static String plan(Connection connection, String types, String values, String statement) throws SQLException {
        String numbered = statement;
        for (int i = 1; numbered.contains("?"); i++) {
            numbered = numbered.replaceFirst("\\?", "\\$" + i);
        }
        run(
                connection,
                "DEALLOCATE ALL",
                "SET enable_seqscan = off",
                "SET plan_cache_mode = force_generic_plan",
                "PREPARE due (" + types + ") AS " + numbered);
        StringBuilder text = new StringBuilder();
        try (Statement explain = connection.createStatement();
                ResultSet lines = explain.executeQuery("EXPLAIN EXECUTE due (" + values + ")")) {
            while (lines.next()) {
                text.append(lines.getString(1)).append('\n');
            }
        }
        return text.toString();
    }

    private static void assertDue(String plan) {
        assertTrue(plan.contains("outbox_next"), plan);
        for (String wrong : List.of("Anti Join", "Seq Scan on outbox", "Seq Scan on timers", "Seq Scan on runs")) {
            assertFalse(plan.contains(wrong), plan);
        }
    }

    @Test
    void whatIsDueIsFoundAlongTheIndex() throws Exception {
        try (Connection connection = TestServer.admin(config())) {
            assertDue(plan(
                    connection,
                    "integer, integer, text[], integer[], integer, timestamptz, integer, integer, integer, bigint, text",
                    "0, 0, '{}', '{}', 0, now(), 8, 256, 0, 1, 'node'",
                    PostgresOutbox.DUE));
        }
    }

    @Test
    void alsoBesideScopesThatAreSuspended() throws Exception {
        try (Connection connection = TestServer.admin(config())) {
            assertDue(plan(
                    connection,
                    "integer, integer, text[], integer[], integer, timestamptz, text[], text[], boolean[], integer, integer,"
                            + " integer, bigint, text",
                    "0, 0, '{}', '{}', 0, now(), '{acme}', '{}', '{true}', 8, 256, 0, 1, 'node'",
                    PostgresOutbox.DUE_BESIDE_SUSPENDED));
        }
    }

    private static final String SETTLING =
            "integer, bigint, text, text[], uuid[], bigint[], integer[], text[], integer[], timestamptz[], bigint[],"
                    + " integer[], text[], timestamptz[], text[], text[]";

    private static final String NOTHING =
            "0, 1, 'node', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'";

    /** As a planner sees it that has met an empty table, which it mostly is, and takes up an index that will be long if it can. */
    private String planOverNothing(String settling) throws Exception {
        admin("DELETE FROM flowstone.outbox", "VACUUM (ANALYZE) flowstone.outbox");
        try (Connection connection = TestServer.admin(config())) {
            run(connection, "SET enable_hashjoin = off", "SET enable_mergejoin = off");
            return plan(connection, SETTLING, NOTHING, settling);
        }
    }

    /** One that reads the whole index goes along it, too, and compares the names later. */
    private static final Pattern BY_NAME = Pattern.compile(
            "using outbox_pkey on outbox.*\\n *Index Cond: .*tenant = .*run_id = .*cause_seq = .*ordinal = ");

    private static boolean isFoundByName(String plan) {
        return BY_NAME.matcher(plan).find()
                && Stream.of("outbox_next", "outbox_due", "Seq Scan on outbox").noneMatch(plan::contains);
    }

    @Test
    void whatIsSettledIsFoundByItsNameAlsoWhereTheTableWasEmpty() throws Exception {
        String plan = planOverNothing(PostgresOutbox.SETTLE);

        assertTrue(isFoundByName(plan) && plan.contains("Tid Scan"), plan);
    }

    /** The statements before this one, which were slow: a check that took them for good would be worth nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"", "o.shard = (SELECT held FROM fence) AND"})
    void theSameCheckRefusesAJoinThatLeavesTheIndexToThePlanner(String shard) throws Exception {
        String plan = planOverNothing("""
                WITH fence AS (
                    SELECT shard AS held FROM flowstone.epochs
                    WHERE shard = ? AND epoch = ? AND holder = ?
                    FOR SHARE
                ), settled AS (
                    SELECT u.*
                    FROM fence, unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        AS u (tenant, run_id, cause_seq, ordinal, destination, attempt, begun_at, took_ms, status, outcome, due_at,
                              death, error)
                ), delivered AS (
                    DELETE FROM flowstone.outbox o
                    USING settled s
                    WHERE s.outcome = 'delivered' AND %s o.state = 'pending' AND o.tenant = s.tenant AND o.run_id = s.run_id
                      AND o.cause_seq = s.cause_seq AND o.ordinal = s.ordinal
                )
                SELECT held FROM fence
                """.formatted(shard));

        assertFalse(isFoundByName(plan), plan);
    }
}
