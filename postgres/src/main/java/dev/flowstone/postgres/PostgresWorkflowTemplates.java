package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Workflow templates as the API's role, each call in its tenant's transaction, which sees the official ones, too. */
final class PostgresWorkflowTemplates implements WorkflowTemplates {
    private final Database api;
    private final WorkflowTemplateChanges changes;

    PostgresWorkflowTemplates(Database api) {
        this.api = api;
        this.changes = new WorkflowTemplateChanges(api);
    }

    private static final String LIST = "SELECT " + WorkflowTemplateRows.ENTRY_COLUMNS + """

            FROM flowstone.workflow_templates t
            JOIN flowstone.workflow_template_versions v ON v.tenant = t.tenant AND v.id = t.id AND v.version = t.latest
            WHERE t.tenant IN (?, '*')
              AND (t.tenant = ? OR NOT EXISTS (
                  SELECT FROM flowstone.workflow_templates own WHERE own.tenant = ? AND own.id = t.id))
              AND t.id > ?
              AND (?::text IS NULL OR v.category = ?)
              AND (?::boolean IS NULL OR (t.tenant = '*') = ?)
              AND (?::text IS NULL OR strpos(
                  lower(concat_ws(chr(10), t.id, v.display_name, v.description, array_to_string(v.tags, chr(10)))),
                  lower(?)) > 0)
            ORDER BY t.id
            LIMIT ?
            """;

    @Override
    public List<WorkflowTemplateEntry> list(
            TenantId tenant, Filter filter, Optional<WorkflowTemplateId> after, int limit) throws JournalException {
        return api.searchAsTenant(
                tenant,
                LIST,
                query -> {
                    for (int i = 1; i <= 3; i++) {
                        query.setString(i, tenant.value());
                    }
                    query.setString(4, after.map(WorkflowTemplateId::value).orElse(""));
                    for (int i = 5; i <= 6; i++) {
                        query.setString(i, filter.category().orElse(null));
                    }
                    for (int i = 7; i <= 8; i++) {
                        query.setObject(i, filter.official().orElse(null));
                    }
                    for (int i = 9; i <= 10; i++) {
                        query.setString(i, filter.search().orElse(null));
                    }
                    query.setInt(11, limit);
                },
                WorkflowTemplateRows::entry);
    }

    /** A tenant's own goes before an official one. */
    private static final String FIND = "SELECT " + WorkflowTemplateRows.COLUMNS + """

            FROM flowstone.workflow_templates t
            JOIN flowstone.workflow_template_versions v ON v.tenant = t.tenant AND v.id = t.id
            WHERE t.tenant = CASE WHEN EXISTS (
                    SELECT FROM flowstone.workflow_templates own WHERE own.tenant = ? AND own.id = ?) THEN ? ELSE '*' END
              AND t.id = ? AND v.version = coalesce(?, t.latest)
            """;

    @Override
    public Optional<WorkflowTemplate> find(TenantId tenant, WorkflowTemplateId id, OptionalInt version)
            throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        FIND,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setString(2, id.value());
                            query.setString(3, tenant.value());
                            query.setString(4, id.value());
                            query.setObject(5, version.isPresent() ? version.getAsInt() : null, Types.INTEGER);
                        },
                        WorkflowTemplateRows::template)
                .stream()
                .findFirst();
    }

    @Override
    public Change create(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, Actor by)
            throws JournalException {
        return changes.create(owner, id, draft, by);
    }

    @Override
    public Change write(
            TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.write(owner, id, draft, expected, by);
    }

    @Override
    public Change enable(TenantId owner, WorkflowTemplateId id, boolean enabled, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.enable(owner, id, enabled, expected, by);
    }

    @Override
    public Shipment ship(List<Shipped> library, Actor by) throws JournalException {
        return changes.ship(library, by);
    }
}
