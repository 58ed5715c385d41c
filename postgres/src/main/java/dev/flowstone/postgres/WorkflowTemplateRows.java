package dev.flowstone.postgres;

import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.kernel.command.Actor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Rows of workflow templates as they are read. */
final class WorkflowTemplateRows {
    /** For {@link #entry}: of a template {@code t} and its newest version {@code v}. */
    static final String ENTRY_COLUMNS =
            "t.id, t.tenant, t.enabled, t.revision, t.latest, t.created_at, t.created_by, t.changed_at, t.changed_by, "
                    + "v.display_name, v.description, v.category, v.thumbnail, v.author, v.tags";

    /** For {@link #template}: of a template {@code t} and a version {@code v} of it. */
    static final String COLUMNS =
            ENTRY_COLUMNS + ", v.version, v.definition, v.config_schema, v.created_at, v.created_by";

    private WorkflowTemplateRows() {}

    static WorkflowTemplateEntry entry(ResultSet row) throws SQLException {
        return new WorkflowTemplateEntry(
                new WorkflowTemplateId(row.getString(1)),
                official(row),
                row.getBoolean(3),
                row.getLong(4),
                row.getInt(5),
                row.getString(10),
                row.getString(11),
                row.getString(12),
                Optional.ofNullable(row.getString(13)),
                Optional.ofNullable(row.getString(14)),
                tags(row),
                mark(row, 6),
                mark(row, 8));
    }

    static WorkflowTemplate template(ResultSet row) throws SQLException {
        WorkflowTemplateDraft draft = new WorkflowTemplateDraft(
                row.getString(10),
                row.getString(11),
                row.getString(12),
                Json.read(row.getBytes(17)),
                Json.read(row.getBytes(18)),
                Optional.ofNullable(row.getString(13)),
                Optional.ofNullable(row.getString(14)),
                tags(row));
        return new WorkflowTemplate(
                new WorkflowTemplateId(row.getString(1)),
                official(row),
                row.getBoolean(3),
                row.getLong(4),
                row.getInt(5),
                row.getInt(16),
                draft,
                mark(row, 6),
                mark(row, 8),
                mark(row, 19));
    }

    private static boolean official(ResultSet row) throws SQLException {
        return row.getString(2).equals(WorkflowTemplates.HOUSE.value());
    }

    private static List<String> tags(ResultSet row) throws SQLException {
        return List.of((String[]) row.getArray(15).getArray());
    }

    private static TemplateSet.Mark mark(ResultSet row, int column) throws SQLException {
        return new TemplateSet.Mark(Times.instant(row, column), Actor.parse(row.getString(column + 1)));
    }
}
