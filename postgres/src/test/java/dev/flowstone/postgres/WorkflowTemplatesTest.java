package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.template.WorkflowTemplates.Change;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What only the database itself can promise of workflow templates: bounds over all rows, and versions that nobody changes. */
final class WorkflowTemplatesTest extends PostgresTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final WorkflowTemplateId POLL = new WorkflowTemplateId("poll");
    private static final Actor ANN = new Actor("user", "ann");

    private static WorkflowTemplateDraft draft(String description) {
        return new WorkflowTemplateDraft(
                "Poll",
                description,
                "ops",
                JsonObject.EMPTY,
                JsonObject.EMPTY,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private Change write(String description) throws Exception {
        return opened().workflowTemplates().write(ACME, POLL, draft(description), OptionalLong.empty(), ANN);
    }

    private Change create(String id) throws Exception {
        return opened().workflowTemplates().create(ACME, new WorkflowTemplateId(id), draft("ä"), ANN);
    }

    private long bytes() throws Exception {
        return number("SELECT sum(bytes)::bigint FROM flowstone.workflow_templates WHERE tenant = 'acme'");
    }

    @Test
    void whatATenantWritesIsBounded() throws Exception {
        create("poll");
        // {}, {}, ä
        assertEquals(2 + 2 + 2, bytes());
        admin("UPDATE flowstone.workflow_templates SET bytes = " + (WorkflowTemplates.MOST_BYTES - 8));

        assertEquals(new Change.TooManyBytes(), write("12345"));
        assertInstanceOf(Change.Made.class, write("1234"));
        assertEquals(WorkflowTemplates.MOST_BYTES, bytes());
        assertEquals(new Change.TooManyBytes(), create("another"));
    }

    @Test
    void thereAreAsManyAsThereMayBe() throws Exception {
        admin(
                "INSERT INTO flowstone.workflow_templates SELECT 'acme', 't' || n, 1, true, 1, 0, 0, now(), 'user:ann', now(),"
                        + " 'user:ann' FROM generate_series(1, " + (WorkflowTemplates.MOST - 1) + ") n");

        assertInstanceOf(Change.Made.class, create("poll"));
        assertEquals(new Change.TooMany(), create("another"));
        assertInstanceOf(
                Change.Made.class,
                opened().workflowTemplates().create(new TenantId("globex"), POLL, draft("theirs"), ANN));
    }

    @Test
    void noChangeOfAVersionIsLetThrough() throws Exception {
        create("poll");

        for (String sql : List.of(
                "UPDATE flowstone.workflow_template_versions SET author = 'x'",
                "DELETE FROM flowstone.workflow_template_versions",
                "TRUNCATE flowstone.workflow_template_versions CASCADE")) {
            SQLException refused = assertThrows(SQLException.class, () -> admin(sql));
            assertEquals("23001", refused.getSQLState(), sql);
        }
        assertEquals(
                draft("ä"),
                opened().workflowTemplates()
                        .find(ACME, POLL, OptionalInt.empty())
                        .orElseThrow()
                        .draft());
    }
}
