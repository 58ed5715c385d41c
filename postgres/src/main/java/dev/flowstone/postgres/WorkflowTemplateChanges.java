package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.template.WorkflowTemplates.Change;
import dev.flowstone.engine.template.WorkflowTemplates.Shipment;
import dev.flowstone.engine.template.WorkflowTemplates.Shipped;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** What people and releases change of workflow templates, each change in one transaction of their owner. */
final class WorkflowTemplateChanges {
    private final Database api;

    WorkflowTemplateChanges(Database api) {
        this.api = api;
    }

    /** The edition of what no release has shipped. */
    private static final int MADE_HERE = 0;

    /** Those who change templates of an owner stand in line, so that its sums hold. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 33))";

    private static final String NEWEST = "SELECT " + WorkflowTemplateRows.COLUMNS + """

            FROM flowstone.workflow_templates t
            JOIN flowstone.workflow_template_versions v ON v.tenant = t.tenant AND v.id = t.id AND v.version = t.latest
            WHERE t.tenant = ? AND t.id = ?
            """;

    Change create(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, Actor by)
            throws JournalException {
        return api.asTenant(owner, connection -> {
            lock(connection, owner);
            Optional<WorkflowTemplate> there = newest(connection, owner, id);
            if (there.isPresent()) {
                return there.get().draft().equals(draft) ? new Change.Made(false, there.get()) : new Change.Taken();
            }
            if (newest(connection, WorkflowTemplates.HOUSE, id).isPresent()) {
                return new Change.Official();
            }
            Sums sums = sums(connection, owner);
            if (sums.templates() >= WorkflowTemplates.MOST) {
                return new Change.TooMany();
            }
            if (sums.bytes() + bytes(draft) > WorkflowTemplates.MOST_BYTES) {
                return new Change.TooManyBytes();
            }
            insert(connection, owner, id, MADE_HERE, draft, by);
            return new Change.Made(true, newest(connection, owner, id).orElseThrow());
        });
    }

    /** What is done to a template that is there. */
    @FunctionalInterface
    private interface Deed {
        Change on(Connection connection, WorkflowTemplate template) throws SQLException;
    }

    /** Does a deed at the revision that it is for, unless what it is to bring about is so already. */
    private Change change(
            TenantId owner, WorkflowTemplateId id, OptionalLong expected, Predicate<WorkflowTemplate> isSo, Deed deed)
            throws JournalException {
        return api.asTenant(owner, connection -> {
            lock(connection, owner);
            Optional<WorkflowTemplate> there = newest(connection, owner, id);
            if (there.isEmpty()) {
                return new Change.Unknown();
            }
            WorkflowTemplate template = there.get();
            if (isSo.test(template)) {
                return new Change.Made(false, template);
            }
            return expected.isPresent() && expected.getAsLong() != template.revision()
                    ? new Change.OtherRevision(template.revision())
                    : deed.on(connection, template);
        });
    }

    Change write(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, OptionalLong expected, Actor by)
            throws JournalException {
        return change(owner, id, expected, there -> there.draft().equals(draft), (connection, there) -> {
            if (there.latest() == WorkflowTemplates.MOST_VERSIONS) {
                return new Change.TooMany();
            }
            if (sums(connection, owner).bytes() + bytes(draft) > WorkflowTemplates.MOST_BYTES) {
                return new Change.TooManyBytes();
            }
            next(connection, owner, id, there.latest() + 1, Optional.empty(), draft, by);
            return new Change.Made(true, newest(connection, owner, id).orElseThrow());
        });
    }

    private static final String ENABLE = """
            UPDATE flowstone.workflow_templates
            SET enabled = ?, revision = revision + 1, changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND id = ?
            """;

    Change enable(TenantId owner, WorkflowTemplateId id, boolean enabled, OptionalLong expected, Actor by)
            throws JournalException {
        return change(owner, id, expected, there -> there.enabled() == enabled, (connection, _) -> {
            TriggerChanges.execute(connection, ENABLE, update -> {
                update.setBoolean(1, enabled);
                update.setString(2, by.toString());
                update.setString(3, owner.value());
                update.setString(4, id.value());
            });
            return new Change.Made(false, newest(connection, owner, id).orElseThrow());
        });
    }

    private static final String EDITIONS =
            "SELECT id, edition, latest FROM flowstone.workflow_templates WHERE tenant = '*'";

    /** What is there of an official template. */
    private record Edition(String id, int edition, int latest) {}

    Shipment ship(List<Shipped> library, Actor by) throws JournalException {
        TenantId house = WorkflowTemplates.HOUSE;
        return api.asTenant(house, connection -> {
            lock(connection, house);
            Map<String, Edition> there = new HashMap<>();
            Database.query(
                            connection,
                            EDITIONS,
                            query -> {},
                            row -> new Edition(row.getString(1), row.getInt(2), row.getInt(3)))
                    .forEach(edition -> there.put(edition.id(), edition));
            int written = 0;
            List<WorkflowTemplateId> kept = new ArrayList<>();
            for (Shipped shipped : library) {
                Edition present = there.get(shipped.id().value());
                if (present == null) {
                    insert(connection, house, shipped.id(), shipped.edition(), shipped.draft(), by);
                    written++;
                } else if (present.edition() == MADE_HERE) {
                    kept.add(shipped.id());
                } else if (present.edition() < shipped.edition()) {
                    next(
                            connection,
                            house,
                            shipped.id(),
                            present.latest() + 1,
                            Optional.of(shipped.edition()),
                            shipped.draft(),
                            by);
                    written++;
                }
            }
            return new Shipment(written, kept);
        });
    }

    private static void lock(Connection connection, TenantId owner) throws SQLException {
        TriggerChanges.execute(connection, LOCK, lock -> lock.setString(1, owner.value()));
    }

    private static Optional<WorkflowTemplate> newest(Connection connection, TenantId owner, WorkflowTemplateId id)
            throws SQLException {
        return Database.query(
                        connection,
                        NEWEST,
                        query -> {
                            query.setString(1, owner.value());
                            query.setString(2, id.value());
                        },
                        WorkflowTemplateRows::template)
                .stream()
                .findFirst();
    }

    private static final String SUMS = """
            SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM flowstone.workflow_templates WHERE tenant = ?
            """;

    private record Sums(long templates, long bytes) {}

    private static Sums sums(Connection connection, TenantId owner) throws SQLException {
        return Database.query(
                        connection,
                        SUMS,
                        query -> query.setString(1, owner.value()),
                        row -> new Sums(row.getLong(1), row.getLong(2)))
                .getFirst();
    }

    private static long bytes(WorkflowTemplateDraft draft) {
        return Json.write(draft.definition()).length
                + Json.write(draft.configSchema()).length
                + utf8(draft.description())
                + utf8(draft.thumbnail().orElse(""));
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static final String INSERT = """
            INSERT INTO flowstone.workflow_templates
                (tenant, id, latest, enabled, revision, edition, bytes, created_at, created_by, changed_at, changed_by)
            VALUES (?, ?, 1, true, 1, ?, ?, clock_timestamp(), ?, clock_timestamp(), ?)
            """;

    private static void insert(
            Connection connection,
            TenantId owner,
            WorkflowTemplateId id,
            int edition,
            WorkflowTemplateDraft draft,
            Actor by)
            throws SQLException {
        TriggerChanges.execute(connection, INSERT, insert -> {
            insert.setString(1, owner.value());
            insert.setString(2, id.value());
            insert.setInt(3, edition);
            insert.setLong(4, bytes(draft));
            insert.setString(5, by.toString());
            insert.setString(6, by.toString());
        });
        version(connection, owner, id, 1, draft, by);
    }

    private static final String NEXT = """
            UPDATE flowstone.workflow_templates
            SET latest = ?, bytes = bytes + ?, edition = coalesce(?, edition), revision = revision + 1,
                changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND id = ?
            """;

    private static void next(
            Connection connection,
            TenantId owner,
            WorkflowTemplateId id,
            int version,
            Optional<Integer> edition,
            WorkflowTemplateDraft draft,
            Actor by)
            throws SQLException {
        TriggerChanges.execute(connection, NEXT, next -> {
            next.setInt(1, version);
            next.setLong(2, bytes(draft));
            next.setObject(3, edition.orElse(null), Types.INTEGER);
            next.setString(4, by.toString());
            next.setString(5, owner.value());
            next.setString(6, id.value());
        });
        version(connection, owner, id, version, draft, by);
    }

    private static final String INSERT_VERSION = """
            INSERT INTO flowstone.workflow_template_versions
                (tenant, id, version, display_name, description, category, definition, config_schema, thumbnail,
                 author, tags, created_at, created_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp(), ?)
            """;

    private static void version(
            Connection connection,
            TenantId owner,
            WorkflowTemplateId id,
            int version,
            WorkflowTemplateDraft draft,
            Actor by)
            throws SQLException {
        TriggerChanges.execute(connection, INSERT_VERSION, insert -> {
            insert.setString(1, owner.value());
            insert.setString(2, id.value());
            insert.setInt(3, version);
            insert.setString(4, draft.displayName());
            insert.setString(5, draft.description());
            insert.setString(6, draft.category());
            insert.setBytes(7, Json.write(draft.definition()));
            insert.setBytes(8, Json.write(draft.configSchema()));
            insert.setString(9, draft.thumbnail().orElse(null));
            insert.setString(10, draft.author().orElse(null));
            insert.setArray(11, connection.createArrayOf("text", draft.tags().toArray()));
            insert.setString(12, by.toString());
        });
    }
}
