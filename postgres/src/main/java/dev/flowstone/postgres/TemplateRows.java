package dev.flowstone.postgres;

import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateEntry;
import dev.flowstone.engine.template.TemplateFormat;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.TemplateVersionEntry;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.kernel.command.Actor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

/** Rows of sets and templates as they are read. */
final class TemplateRows {
    /** For {@link #set}. */
    static final String SET_COLUMNS =
            "s.id, s.tenant, s.display_name, s.team, s.enabled, s.revision, s.created_at, s.created_by, s.changed_at, s.changed_by";

    /** For {@link #version}: of a version {@code v}, its set {@code s}, and {@code o} if it is off. */
    static final String VERSION_COLUMNS =
            "v.set_id, v.id, v.tenant, v.version, v.display_name, v.format, v.fields, v.body, v.help, s.enabled, v.created_at, v.created_by, o.off_at, o.off_by";

    /** For {@link #versionEntry}: likewise. */
    static final String VERSION_ENTRY_COLUMNS =
            "v.set_id, v.id, v.tenant, v.version, v.display_name, v.format, s.enabled, v.created_at, v.created_by, o.off_at, o.off_by";

    private TemplateRows() {}

    static TemplateSet set(ResultSet row) throws SQLException {
        return new TemplateSet(
                new TemplateSetId(row.getString(1)),
                shared(row, 2),
                row.getString(3),
                row.getString(4),
                row.getBoolean(5),
                row.getLong(6),
                mark(row, 7),
                mark(row, 9));
    }

    static TemplateVersion version(ResultSet row) throws SQLException {
        return new TemplateVersion(
                name(row),
                shared(row, 3),
                row.getInt(4),
                new TemplateDraft(
                        row.getString(5),
                        TemplateFormat.of(row.getString(6)),
                        Json.read(row.getBytes(7)),
                        row.getString(8),
                        Optional.ofNullable(row.getString(9))),
                off(row, 13),
                row.getBoolean(10),
                mark(row, 11));
    }

    static TemplateVersionEntry versionEntry(ResultSet row) throws SQLException {
        return new TemplateVersionEntry(
                name(row),
                shared(row, 3),
                row.getInt(4),
                row.getString(5),
                TemplateFormat.of(row.getString(6)),
                off(row, 10),
                row.getBoolean(7),
                mark(row, 8));
    }

    private static Optional<TemplateSet.Mark> off(ResultSet row, int column) throws SQLException {
        return row.getString(column + 1) == null ? Optional.empty() : Optional.of(mark(row, column));
    }

    static TemplateEntry entry(ResultSet row) throws SQLException {
        int current = row.getInt(7);
        return new TemplateEntry(
                name(row),
                shared(row, 3),
                row.getString(4),
                row.getString(5),
                row.getInt(6),
                current == 0 ? OptionalInt.empty() : OptionalInt.of(current));
    }

    static TemplateName name(ResultSet row) throws SQLException {
        return new TemplateName(new TemplateSetId(row.getString(1)), new TemplateId(row.getString(2)));
    }

    private static boolean shared(ResultSet row, int column) throws SQLException {
        return row.getString(column).equals(Templates.EVERYBODY.value());
    }

    private static TemplateSet.Mark mark(ResultSet row, int column) throws SQLException {
        return new TemplateSet.Mark(Times.instant(row, column), Actor.parse(row.getString(column + 1)));
    }
}
