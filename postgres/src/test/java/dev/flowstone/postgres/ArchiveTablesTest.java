package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A table whose rows belong to runs is known to the archive, and the archive may look into it. */
final class ArchiveTablesTest extends PostgresTest {
    /** Tables that {@code waiting_runs} reads, and the views that it is made of. */
    private static final String ASKED = """
            WITH RECURSIVE used AS (
                SELECT 'flowstone.waiting_runs'::regclass::oid AS relation
                UNION
                SELECT d.refobjid
                FROM used u
                JOIN pg_rewrite w ON w.ev_class = u.relation
                JOIN pg_depend d ON d.objid = w.oid AND d.classid = 'pg_rewrite'::regclass
                    AND d.refclassid = 'pg_class'::regclass
            )
            SELECT c.relname FROM used u JOIN pg_class c ON c.oid = u.relation WHERE c.relkind IN ('r', 'p')
            """;

    /** Row-level security is forced on the owner too: without a policy it finds nothing there, and nothing waits. */
    private static final String OPEN = """
            SELECT tablename FROM pg_policies
            WHERE schemaname = 'flowstone' AND policyname = 'archive' AND 'flowstone_owner' = ANY (roles)
            """;

    private static final String OF_RUNS = """
            SELECT DISTINCT c.relname
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relnamespace = 'flowstone'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              AND a.attname IN ('run_id', 'sender', 'receiver') AND NOT a.attisdropped
            """;

    private Set<String> names(String query) throws SQLException {
        Set<String> names = new TreeSet<>();
        try (Connection connection = TestServer.admin(config());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    @Test
    void theOwnerSeesTheRowsOfEachTableThatKeepsARun() throws Exception {
        Set<String> open = names(OPEN);
        for (String table : names(ASKED)) {
            assertTrue(open.contains(table), table + " has no policy for the archive");
        }
    }

    @Test
    void eachTableOfRunsEitherKeepsThemOrLeavesWithThem() throws Exception {
        Set<String> known = names(ASKED);
        // The runs themselves, what leaves with them, the archive's own, whom a human task asks: the task keeps its
        // run;
        // what came of messages and of deliveries, which outlives them and their runs; and dead letters: one of a run
        // that is over has nothing left to do for it.
        known.addAll(Set.of(
                "runs",
                "entries",
                "snapshots",
                "archiving",
                "human_task_parties",
                "outbox_attempts",
                "outbox_deeds",
                "dead_letters",
                "trigger_deliveries"));
        assertEquals(known, names(OF_RUNS));
    }
}
