package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What happened stays as it was written, whoever asks. */
final class ImmutabilityTest extends PostgresTest {
    private static List<String> changes(String table) {
        return List.of(
                "UPDATE " + table + " SET bytes = 'x'",
                "DELETE FROM " + table,
                "TRUNCATE " + table,
                "MERGE INTO " + table + " t USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE");
    }

    private List<String> partitions() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = TestServer.admin(config());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'flowstone.entries'::regclass")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private void refused(String role, String table, String expectedState) throws SQLException {
        for (String change : changes(table)) {
            try (Connection connection = TestServer.admin(config())) {
                run(connection, "SET ROLE " + role);
                SQLException refusal = assertThrows(SQLException.class, () -> run(connection, change), change);
                assertEquals(expectedState, refusal.getSQLState(), role + ": " + change + ": " + refusal.getMessage());
            }
        }
    }

    @Test
    void entriesAreRefusedToTheEngineTheOwnerAndTheSuperuser() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, Moves.plain(Moves.run(lease), 0)));
        List<String> tables = new ArrayList<>(partitions());
        assertTrue(tables.size() >= 4, () -> "before, this month and two ahead: " + tables);
        tables.add("flowstone.entries");

        for (String table : tables) {
            refused("flowstone_engine", table, "42501");
            refused("flowstone_api", table, "42501");
            refused("flowstone_owner", table, "23001");
            refused("flowstone_admin", table, "23001");
        }
        assertEquals(1, number("SELECT count(*) FROM flowstone.entries"));
    }

    @Test
    void replicasModeDoesNotSwitchTheRefusalOff() throws Exception {
        try (Connection connection = TestServer.admin(config())) {
            run(connection, "SET session_replication_role = replica");
            SQLException refusal =
                    assertThrows(SQLException.class, () -> run(connection, "DELETE FROM flowstone.entries"));
            assertEquals("23001", refusal.getSQLState());
        }
    }

    @Test
    void publishedVersionsAndProgramsAreRefusedToo() throws Exception {
        byte[] bytes = {1, 2, 3};
        Sha256 hash = Sha256.digest(bytes);
        WorkflowId id = new WorkflowId("w");
        Instant now = Instant.now();
        WorkflowRow row = new WorkflowRow(
                Moves.ACME,
                id,
                "w",
                Optional.empty(),
                WorkflowStatus.ACTIVE,
                true,
                1,
                1,
                Optional.empty(),
                now,
                now,
                0);
        assertTrue(opened().ports()
                .workflows()
                .save(row, 0, Optional.of(new WorkflowVersion(Moves.ACME, id, 1, bytes, hash, hash, bytes, now)))
                .isPresent());

        refusedToAll(List.of(
                "UPDATE flowstone.workflow_versions SET source = 'x'",
                "DELETE FROM flowstone.workflow_versions",
                "TRUNCATE flowstone.workflow_versions",
                "UPDATE flowstone.programs SET bytes = 'x'",
                "DELETE FROM flowstone.programs",
                "TRUNCATE flowstone.programs"));
    }

    @Test
    void whatAPolicySaidInAVersionIsRefusedToo() throws Exception {
        opened().ports()
                .policies()
                .publish(
                        Moves.ACME,
                        new PolicyName("release"),
                        JsonObject.EMPTY,
                        new Actor("user", "ann"),
                        Instant.now());

        refusedToAll(List.of(
                "UPDATE flowstone.policies SET bundle = 'x'",
                "UPDATE flowstone.policies SET published_by = 'user:bob'",
                "DELETE FROM flowstone.policies",
                "TRUNCATE flowstone.policies",
                "MERGE INTO flowstone.policies t USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE"));
        assertEquals(1, number("SELECT count(*) FROM flowstone.policies"));
    }

    private void refusedToAll(List<String> changes) throws SQLException {
        for (String change : changes) {
            for (String role : List.of("flowstone_owner", "flowstone_admin", "flowstone_api", "flowstone_engine")) {
                try (Connection connection = TestServer.admin(config())) {
                    run(connection, "SET ROLE " + role);
                    SQLException refusal = assertThrows(SQLException.class, () -> run(connection, change), change);
                    assertTrue(
                            List.of("23001", "42501").contains(String.valueOf(refusal.getSQLState())),
                            () -> role + ": " + change + ": " + refusal.getMessage());
                }
            }
        }
    }
}
