package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.lease.Lease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sees what. */
final class RowLevelSecurityTest extends PostgresTest {
    private static final List<String> READABLE = List.of(
            "runs",
            "entries",
            "payloads",
            "inbox",
            "workflows",
            "workflow_versions",
            "programs",
            "policies",
            "subjects",
            "subject_windows",
            "human_task_parties",
            "run_counts",
            "run_count_changes",
            "outbox",
            "outbox_attempts",
            "outbox_deeds",
            "subscriptions",
            "subscription_cursors",
            "subscription_deeds",
            "triggers",
            "trigger_requests",
            "trigger_deliveries",
            "trigger_schedules",
            "trigger_events",
            "template_sets",
            "templates",
            "template_versions",
            "template_versions_off",
            "workflow_templates",
            "workflow_template_versions",
            "dead_letters",
            "dead_letter_deeds");

    @BeforeEach
    void twoTenants() throws Exception {
        Lease lease = lease(0);
        journal()
                .commit(Moves.commit(
                        lease,
                        Moves.full(Moves.run(lease, Moves.ACME, Instant.now()), 0),
                        Moves.full(Moves.run(lease, Moves.OTHER, Instant.now()), 0)));
    }

    private static String state(Connection connection, String sql) {
        SQLException refusal = assertThrows(SQLException.class, () -> run(connection, sql), sql);
        return String.valueOf(refusal.getSQLState());
    }

    @Test
    void withoutATenantTheApiGetsAnErrorFromEveryTable() throws Exception {
        try (Connection api = TestServer.api(config())) {
            for (String table : READABLE) {
                assertEquals("42501", state(api, "SELECT * FROM flowstone." + table), table);
            }
            api.setAutoCommit(false);
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals(1, number(api, "SELECT count(*) FROM flowstone.runs"));
            api.commit();
            assertEquals("42501", state(api, "SELECT * FROM flowstone.runs"), "the tenant went with the transaction");
        }
    }

    @Test
    void theApiSeesItsTenantAndNobodyElse() throws Exception {
        admin("INSERT INTO flowstone.run_counts SELECT tenant, workflow, status, 0, 0 FROM flowstone.runs");
        try (Connection api = TestServer.api(config())) {
            api.setAutoCommit(false);
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            for (String table :
                    List.of("runs", "entries", "payloads", "human_task_parties", "run_counts", "run_count_changes")) {
                assertEquals(1, number(api, "SELECT count(*) FROM flowstone." + table), table);
                assertEquals(
                        0, number(api, "SELECT count(*) FROM flowstone." + table + " WHERE tenant = 'other'"), table);
            }
            assertEquals(
                    "42501",
                    state(
                            api,
                            "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                                    + " SELECT 'other', 's', 'k', run_id, slot, 'k', '', now() FROM flowstone.runs"),
                    "nor writes for another");
        }
    }

    /** People put dead letters of their tenant back, or remove them, and touch no other message. */
    @Test
    void theApiTouchesOnlyDeadLettersOfItsTenant() throws Exception {
        try (Connection api = TestServer.api(config())) {
            api.setAutoCommit(false);
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals(1, number(api, "SELECT count(*) FROM flowstone.outbox"));
            assertEquals(
                    0,
                    number(api, "WITH gone AS (DELETE FROM flowstone.outbox RETURNING 1) SELECT count(*) FROM gone"));
            assertEquals(
                    0,
                    number(
                            api,
                            "WITH put AS (UPDATE flowstone.outbox SET state = 'pending' RETURNING 1) SELECT count(*) FROM put"));
            api.rollback();
            admin("UPDATE flowstone.outbox SET state = 'dead'");
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals(
                    1,
                    number(
                            api,
                            "WITH put AS (UPDATE flowstone.outbox SET state = 'pending' RETURNING 1) SELECT count(*) FROM put"));
            api.rollback();
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals("42501", state(api, "UPDATE flowstone.outbox SET state = 'dead', attempts = 0"));
            api.rollback();
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals("42501", state(api, "UPDATE flowstone.outbox SET content = ''"));
            api.rollback();
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals("42501", state(api, "DELETE FROM flowstone.outbox_deeds"));
            api.rollback();
        }
        assertEquals(2, number("SELECT count(*) FROM flowstone.outbox"));
    }

    @Test
    void theApiMayNotChangeTheJournal() throws Exception {
        try (Connection api = TestServer.api(config())) {
            for (String sql : List.of(
                    "UPDATE flowstone.runs SET awake = false",
                    "DELETE FROM flowstone.timers",
                    "SELECT * FROM flowstone.receipts",
                    "SELECT * FROM flowstone.feed",
                    "SELECT * FROM flowstone.epochs",
                    "SELECT * FROM flowstone.shards",
                    "SELECT * FROM flowstone.posted_calls",
                    "INSERT INTO flowstone.posted_calls (call, node, until, asked) VALUES (gen_random_uuid(), 'n', now(), '')",
                    "UPDATE flowstone.trigger_deliveries SET outcome = 'started'",
                    "SELECT secret FROM flowstone.trigger_secrets",
                    "DELETE FROM flowstone.trigger_requests",
                    "SELECT * FROM flowstone.trigger_ticks",
                    "UPDATE flowstone.trigger_schedules SET slot = 0",
                    "SELECT * FROM flowstone.trigger_cursors",
                    "UPDATE flowstone.template_versions SET body = ''",
                    "DELETE FROM flowstone.template_versions",
                    "UPDATE flowstone.template_sets SET tenant = '*'",
                    "UPDATE flowstone.workflow_template_versions SET author = ''",
                    "DELETE FROM flowstone.workflow_template_versions",
                    "DELETE FROM flowstone.workflow_templates",
                    "UPDATE flowstone.workflow_templates SET tenant = '*'",
                    "DELETE FROM flowstone.subjects",
                    "DELETE FROM flowstone.subject_windows",
                    "UPDATE flowstone.subject_windows SET mode = 'EDITABLE'",
                    "SELECT flowstone.commit_windows(NULL, NULL)",
                    "SELECT flowstone.ensure_partitions(now())")) {
                assertEquals("42501", state(api, sql), sql);
            }
        }
    }

    @Test
    void theEngineHasTheJournalAndNothingElse() throws Exception {
        try (Connection engine = TestServer.engine(config())) {
            assertEquals(2, number(engine, "SELECT count(*) FROM flowstone.runs"));
            for (String sql : List.of(
                    "SELECT * FROM flowstone.workflows",
                    "SELECT * FROM flowstone.workflow_versions",
                    "SELECT * FROM flowstone.programs",
                    "SELECT * FROM flowstone.flyway_schema_history",
                    "UPDATE flowstone.triggers SET enabled = true",
                    "DELETE FROM flowstone.trigger_schedules",
                    "UPDATE flowstone.trigger_schedules SET since = now()",
                    "UPDATE flowstone.trigger_events SET numbers = streams::bigint[]",
                    "DELETE FROM flowstone.trigger_cursors",
                    "SELECT * FROM flowstone.triggers_off",
                    "SELECT * FROM flowstone.template_sets",
                    "SELECT * FROM flowstone.template_versions",
                    "SELECT * FROM flowstone.workflow_templates",
                    "SELECT * FROM flowstone.workflow_template_versions",
                    "DELETE FROM flowstone.runs",
                    "UPDATE flowstone.feed SET number = 7",
                    "UPDATE flowstone.payloads SET bytes = ''",
                    "UPDATE flowstone.shards SET first_slot = 1",
                    "UPDATE flowstone.compatibility SET least = 1",
                    "CREATE TABLE flowstone.mine ()",
                    "ALTER TABLE flowstone.runs DISABLE ROW LEVEL SECURITY",
                    "SELECT flowstone.add_partition('x', NULL, NULL)",
                    "SET ROLE flowstone_owner")) {
                assertEquals("42501", state(engine, sql), sql);
            }
        }
    }

    @Test
    void nothingIsGrantedOnPartitions() throws Exception {
        List<String> partitions = new ArrayList<>();
        try (Connection admin = TestServer.admin(config());
                Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'flowstone.entries'::regclass")) {
            while (rows.next()) {
                partitions.add(rows.getString(1));
            }
        }
        try (Connection engine = TestServer.engine(config());
                Connection api = TestServer.api(config())) {
            for (String partition : partitions) {
                assertEquals("42501", state(engine, "SELECT * FROM " + partition));
                assertEquals("42501", state(api, "SELECT * FROM " + partition));
            }
        }
    }

    @Test
    void everyTenantTableIsForced() throws Exception {
        assertEquals(0, number("""
                        SELECT count(*) FROM pg_class c
                        WHERE relnamespace = 'flowstone'::regnamespace AND relkind IN ('r', 'p')
                          AND EXISTS (SELECT FROM pg_attribute a
                                      WHERE a.attrelid = c.oid AND attname = 'tenant' AND NOT attisdropped)
                          AND NOT (relrowsecurity AND relforcerowsecurity)
                        """));
        assertEquals(0, number("""
                        SELECT count(*) FROM pg_roles
                        WHERE rolname LIKE 'flowstone\\_%' AND rolname <> 'flowstone_admin'
                          AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)
                        """));
    }
}
