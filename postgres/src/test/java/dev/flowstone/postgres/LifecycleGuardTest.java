package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lifecycle of a workflow holds whatever writes to the database, its superuser included (dataflow.md §3.0). */
final class LifecycleGuardTest extends PostgresTest {
    private static final String REFUSED = "23001";
    private static final String MISSING = "23503";

    private WorkflowRow staged = row("staged", WorkflowStatus.DRAFT, 0, Optional.of("{}"));

    @BeforeEach
    void oneOfEachStatus() throws Exception {
        save(row("draft", WorkflowStatus.DRAFT, 0, Optional.of("{}")), 0, 0);
        WorkflowRow draft = save(staged, 0, 0);
        staged = save(latest(draft, 1), draft.revision(), 1);
        save(row("active", WorkflowStatus.ACTIVE, 1, Optional.empty()), 0, 1);
        WorkflowRow active = save(row("archived", WorkflowStatus.ACTIVE, 1, Optional.of("{}")), 0, 1);
        save(row("archived", WorkflowStatus.ARCHIVED, 1, Optional.of("{}")), active.revision(), 0);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    draft    | draft = NULL                                                  | 23514
                    draft    | status = 'ACTIVE'                                             | 23514
                    draft    | status = 'ACTIVE', current_version = 1, latest_version = 1    | 23503
                    draft    | latest_version = 1                                            | 23503
                    draft    | current_version = 1, latest_version = 1                       | 23514
                    draft    | status = 'ARCHIVED', enabled = false                          | 23001
                    staged   | status = 'ARCHIVED', enabled = false, current_version = 1     | 23001
                    staged   | latest_version = 0                                            | 23001
                    staged   | latest_version = 3                                            | 23503
                    active   | current_version = 0                                           | 23514
                    active   | current_version = 2, latest_version = 2                       | 23503
                    active   | status = 'DRAFT', current_version = 0, draft = '{}'           | 23001
                    active   | status = 'ARCHIVED'                                           | 23514
                    active   | status = 'ARCHIVED', enabled = false, draft = '{"a": 1}'      | 23001
                    active   | workflow = 'other'                                            | 23001
                    active   | tenant = 'other'                                              | 23001
                    active   | revision = revision                                           | 23001
                    archived | enabled = true                                                | 23514
                    archived | draft = '{"a": 1}'                                            | 23001
                    archived | status = 'DRAFT', current_version = 0                         | 23001
                    archived | latest_version = 2                                            | 23001
                    """)
    void whatTheLifecycleDoesNotKnowIsRefused(String workflow, String change, String state) throws Exception {
        String next = change.startsWith("revision") ? change : "revision = revision + 1, " + change;

        refused("UPDATE flowstone.workflows SET " + next + " WHERE workflow = '" + workflow + "'", state);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    draft    | draft = '{"a": 1}'
                    staged   | status = 'ACTIVE', current_version = 1, draft = NULL
                    active   | draft = '{"a": 1}'
                    active   | enabled = false
                    active   | status = 'ARCHIVED', enabled = false
                    archived | draft = NULL
                    archived | status = 'ACTIVE', enabled = true
                    """)
    void whatItKnowsIsWritten(String workflow, String change) throws Exception {
        try (Connection admin = TestServer.admin(config())) {
            assertEquals(1, changed(admin, workflow, change));
        }
    }

    /** In every other way these rows are as an archived one is. */
    @Test
    void aStatusIsOneOfThreeWords() {
        for (String word : List.of("RETIRED", "Draft", "archived", "")) {
            refused(
                    "INSERT INTO flowstone.workflows (tenant, workflow, display_name, status, enabled, current_version,"
                            + " latest_version, created_at, updated_at, revision)"
                            + " VALUES ('acme', 'other', 'x', '" + word + "', false, 1, 1, now(), now(), 1)",
                    "23514");
        }
    }

    private static int changed(Connection admin, String workflow, String change) throws SQLException {
        try (var statement = admin.createStatement()) {
            return statement.executeUpdate("UPDATE flowstone.workflows SET revision = revision + 1, " + change
                    + " WHERE workflow = '" + workflow + "'");
        }
    }

    @Test
    void whatWasActiveIsNeverDeletedAndNoVersionIsLeftBehind() throws Exception {
        for (String workflow : List.of("active", "archived", "staged")) {
            refused("DELETE FROM flowstone.workflows WHERE workflow = '" + workflow + "'", REFUSED);
        }
        refused(
                "TRUNCATE flowstone.workflows, flowstone.triggers, flowstone.trigger_secrets,"
                        + " flowstone.trigger_schedules, flowstone.trigger_ticks, flowstone.trigger_events",
                REFUSED);
        admin("DELETE FROM flowstone.workflows WHERE workflow = 'draft'");
    }

    @Test
    void aVersionGoesOnlyWithADraftThatIsDropped() throws Exception {
        String drop = "SELECT set_config('flowstone.dropping', 'on', true); DELETE FROM flowstone.workflow_versions";

        refused("DELETE FROM flowstone.workflow_versions WHERE workflow = 'staged'", REFUSED);
        refused(drop + " WHERE workflow = 'active'", REFUSED);
        refused(drop + " WHERE workflow = 'archived'", REFUSED);
        refused(
                drop + " WHERE workflow = 'staged'; SET CONSTRAINTS ALL IMMEDIATE; UPDATE flowstone.workflows"
                        + " SET revision = revision + 1 WHERE workflow = 'staged'",
                MISSING);
        assertEquals(3, number("SELECT count(*) FROM flowstone.workflow_versions"));

        assertTrue(opened().ports().workflows().deleteDraft(Moves.ACME, staged.id(), staged.revision()));
        assertEquals(2, number("SELECT count(*) FROM flowstone.workflow_versions"));
        assertEquals(0, number("SELECT count(*) FROM flowstone.workflows WHERE workflow = 'staged'"));
    }

    @Test
    void aDraftWithStagedVersionsStaysIfARunMayFollowOne() throws Exception {
        admin(
                "INSERT INTO flowstone.runs (tenant, run_id, slot, workflow, version, program, correlation, started_at, last_seq,"
                        + " last_hash, status, awake, updated_at) VALUES ('acme', '01a22970-be56-7baf-84b7-0948fe229803', 2991,"
                        + " 'staged', 0, decode(repeat('00', 32), 'hex'), 'c', now(), 1, decode(repeat('00', 32), 'hex'),"
                        + " 'RUNNING', true, now())");

        assertFalse(opened().ports().workflows().deleteDraft(Moves.ACME, staged.id(), staged.revision()));
        assertTrue(
                opened().ports().workflows().version(Moves.ACME, staged.id(), 1).isPresent());
    }

    @Test
    void anotherTenantDropsNothing() throws Exception {
        try (Connection admin = TestServer.admin(config())) {
            run(admin, "SET ROLE flowstone_api", "SELECT set_config('flowstone.tenant', 'other', false)");

            assertEquals(0, number(admin, "SELECT flowstone.drop_draft('staged', " + staged.revision() + ")::integer"));
            SQLException refusal = assertThrows(
                    SQLException.class,
                    () -> run(
                            admin,
                            "SELECT set_config('flowstone.tenant', 'acme', false)",
                            "SELECT set_config('flowstone.dropping', 'on', false)",
                            "DELETE FROM flowstone.workflow_versions"));
            assertEquals("42501", refusal.getSQLState());
        }
    }

    @Test
    void replicasModeDoesNotSwitchItOff() throws Exception {
        refused(
                "SET session_replication_role = replica; UPDATE flowstone.workflows SET revision = revision + 1,"
                        + " current_version = 2, latest_version = 2 WHERE workflow = 'active'",
                MISSING);
        refused("SET session_replication_role = replica; DELETE FROM flowstone.workflow_versions", REFUSED);
    }

    private void refused(String statements, String state) {
        SQLException refusal = assertThrows(SQLException.class, () -> admin(statements), statements);
        assertEquals(state, refusal.getSQLState(), () -> statements + ": " + refusal.getMessage());
    }

    private WorkflowRow save(WorkflowRow row, long expected, int version) throws Exception {
        byte[] source = (row.id() + " " + version).getBytes(StandardCharsets.UTF_8);
        Optional<WorkflowVersion> made = version == 0
                ? Optional.empty()
                : Optional.of(new WorkflowVersion(
                        Moves.ACME,
                        row.id(),
                        version,
                        source,
                        Sha256.digest(source),
                        Sha256.digest(source),
                        source,
                        Instant.now()));
        return opened().ports().workflows().save(row, expected, made).orElseThrow();
    }

    private static WorkflowRow row(String id, WorkflowStatus status, int version, Optional<String> draft) {
        Instant now = Instant.now();
        return new WorkflowRow(
                Moves.ACME,
                new WorkflowId(id),
                id,
                Optional.empty(),
                status,
                status != WorkflowStatus.ARCHIVED,
                version,
                version,
                draft.map(text -> text.getBytes(StandardCharsets.UTF_8)),
                now,
                now,
                0);
    }

    private static WorkflowRow latest(WorkflowRow row, int latest) {
        return new WorkflowRow(
                row.tenant(),
                row.id(),
                row.displayName(),
                row.description(),
                row.status(),
                row.enabled(),
                0,
                latest,
                row.draft(),
                row.createdAt(),
                row.updatedAt(),
                row.revision());
    }
}
