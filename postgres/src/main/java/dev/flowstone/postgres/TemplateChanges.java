package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.Templates.Removal;
import dev.flowstone.engine.template.Templates.SetChange;
import dev.flowstone.engine.template.Templates.SetWish;
import dev.flowstone.engine.template.Templates.Written;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** What people change of sets and templates, each change in one transaction of their owner. */
final class TemplateChanges {
    private final Database api;

    TemplateChanges(Database api) {
        this.api = api;
    }

    /** Those who make sets of an owner, take them away or write versions stand in line, so that its sums hold. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 31))";

    private static final String SET = "SELECT " + TemplateRows.SET_COLUMNS + """

            FROM flowstone.template_sets s
            WHERE s.tenant = ? AND s.id = ?
            """;

    private static final String COUNT_SETS = "SELECT count(*) FROM flowstone.template_sets WHERE tenant = ?";

    private static final String INSERT_SET = """
            INSERT INTO flowstone.template_sets
                (tenant, id, display_name, team, enabled, revision, created_at, created_by, changed_at, changed_by, bytes)
            VALUES (?, ?, ?, ?, true, 1, clock_timestamp(), ?, clock_timestamp(), ?, 0)
            """;

    SetChange create(TenantId owner, TemplateSetId id, String displayName, String team, boolean hides, Actor by)
            throws JournalException {
        return api.asTenant(owner, connection -> {
            TriggerChanges.execute(connection, LOCK, lock -> lock.setString(1, owner.value()));
            Optional<TemplateSet> there = set(connection, SET, owner, id);
            if (there.isPresent()) {
                TemplateSet set = there.get();
                boolean same =
                        set.displayName().equals(displayName) && set.team().equals(team);
                return same ? new SetChange.Made(false, set) : new SetChange.Taken();
            }
            if (!hides && set(connection, SET, Templates.EVERYBODY, id).isPresent()) {
                return new SetChange.WouldHide();
            }
            if (count(connection, COUNT_SETS, owner, Optional.empty()) >= Templates.MOST_SETS) {
                return new SetChange.TooMany();
            }
            TriggerChanges.execute(connection, INSERT_SET, insert -> {
                insert.setString(1, owner.value());
                insert.setString(2, id.value());
                insert.setString(3, displayName);
                insert.setString(4, team);
                insert.setString(5, by.toString());
                insert.setString(6, by.toString());
            });
            return new SetChange.Made(true, set(connection, SET, owner, id).orElseThrow());
        });
    }

    private static final String REMOVE_SET = "DELETE FROM flowstone.template_sets WHERE tenant = ? AND id = ?";

    Removal remove(TenantId owner, TemplateSetId id) throws JournalException {
        return api.asTenant(owner, connection -> {
            TriggerChanges.execute(connection, LOCK, lock -> lock.setString(1, owner.value()));
            if (set(connection, SET, owner, id).isEmpty()) {
                return Removal.UNKNOWN;
            }
            if (count(connection, COUNT_TEMPLATES, owner, Optional.of(id)) > 0) {
                return Removal.IN_USE;
            }
            TriggerChanges.execute(connection, REMOVE_SET, remove -> {
                remove.setString(1, owner.value());
                remove.setString(2, id.value());
            });
            return Removal.REMOVED;
        });
    }

    private static final String LOCK_SET = SET + "FOR UPDATE OF s";

    private static final String UPDATE_SET = """
            UPDATE flowstone.template_sets
            SET display_name = ?, team = ?, enabled = ?, revision = revision + 1, changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND id = ?
            """;

    SetChange update(TenantId owner, TemplateSetId id, SetWish wish, OptionalLong expected, Actor by)
            throws JournalException {
        return api.asTenant(owner, connection -> {
            Optional<TemplateSet> there = set(connection, LOCK_SET, owner, id);
            if (there.isEmpty()) {
                return new SetChange.Unknown();
            }
            TemplateSet set = there.get();
            if (expected.isPresent() && expected.getAsLong() != set.revision()) {
                return new SetChange.OtherRevision(set.revision());
            }
            TriggerChanges.execute(connection, UPDATE_SET, update -> {
                update.setString(1, wish.displayName().orElse(set.displayName()));
                update.setString(2, wish.team().orElse(set.team()));
                update.setBoolean(3, wish.enabled().orElse(set.enabled()));
                update.setString(4, by.toString());
                update.setString(5, owner.value());
                update.setString(6, id.value());
            });
            return new SetChange.Made(false, set(connection, SET, owner, id).orElseThrow());
        });
    }

    private static Optional<TemplateSet> set(Connection connection, String sql, TenantId owner, TemplateSetId id)
            throws SQLException {
        return Database.query(
                        connection,
                        sql,
                        query -> {
                            query.setString(1, owner.value());
                            query.setString(2, id.value());
                        },
                        TemplateRows::set)
                .stream()
                .findFirst();
    }

    private static final String COUNT_TEMPLATES =
            "SELECT count(*) FROM flowstone.templates WHERE tenant = ? AND set_id = ?";

    private static long count(Connection connection, String sql, TenantId owner, Optional<TemplateSetId> set)
            throws SQLException {
        return Database.query(
                        connection,
                        sql,
                        query -> {
                            query.setString(1, owner.value());
                            if (set.isPresent()) {
                                query.setString(2, set.get().value());
                            }
                        },
                        row -> row.getLong(1))
                .getFirst();
    }

    private static final String NEWEST = "SELECT " + TemplateRows.VERSION_COLUMNS + """

            FROM flowstone.template_versions v
            JOIN flowstone.template_sets s ON s.tenant = v.tenant AND s.id = v.set_id
            LEFT JOIN flowstone.template_versions_off o
              ON o.tenant = v.tenant AND o.set_id = v.set_id AND o.id = v.id AND o.version = v.version
            WHERE v.tenant = ? AND v.set_id = ? AND v.id = ?
            ORDER BY v.version DESC
            LIMIT 1
            """;

    private static final String NEXT = """
            INSERT INTO flowstone.templates (tenant, set_id, id, latest)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (tenant, set_id, id) DO UPDATE SET latest = excluded.latest
            """;

    private static final String INSERT_VERSION = """
            INSERT INTO flowstone.template_versions
                (tenant, set_id, id, version, display_name, format, fields, body, help, created_at, created_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp(), ?)
            """;

    Written write(TenantId owner, TemplateName name, TemplateDraft draft, OptionalLong expected, Actor by)
            throws JournalException {
        return api.asTenant(owner, connection -> {
            TriggerChanges.execute(connection, LOCK, lock -> lock.setString(1, owner.value()));
            if (set(connection, SET, owner, name.set()).isEmpty()) {
                return new Written.NoSet();
            }
            Optional<TemplateVersion> newest = newest(connection, owner, name);
            if (newest.filter(it -> it.enabled() && it.draft().equals(draft)).isPresent()) {
                return new Written.Made(false, newest.get());
            }
            int latest = newest.map(TemplateVersion::version).orElse(0);
            if (expected.isPresent() && expected.getAsLong() != latest) {
                return new Written.OtherVersion(latest);
            }
            if (latest == Templates.MOST_VERSIONS || (latest == 0 && isFull(connection, owner, name.set()))) {
                return new Written.TooMany();
            }
            long bytes = bytes(draft);
            if (count(connection, SUM_BYTES, owner, Optional.empty()) + bytes > Templates.MOST_BYTES) {
                return new Written.TooManyBytes();
            }
            insert(connection, owner, name, latest + 1, draft, by);
            TriggerChanges.execute(connection, ADD_BYTES, add -> {
                add.setLong(1, bytes);
                add.setString(2, owner.value());
                add.setString(3, name.set().value());
            });
            return new Written.Made(true, newest(connection, owner, name).orElseThrow());
        });
    }

    private static boolean isFull(Connection connection, TenantId owner, TemplateSetId set) throws SQLException {
        return count(connection, COUNT_TEMPLATES, owner, Optional.of(set)) >= Templates.MOST_TEMPLATES;
    }

    private static final String SUM_BYTES =
            "SELECT coalesce(sum(bytes), 0)::bigint FROM flowstone.template_sets WHERE tenant = ?";

    private static final String ADD_BYTES =
            "UPDATE flowstone.template_sets SET bytes = bytes + ? WHERE tenant = ? AND id = ?";

    private static long bytes(TemplateDraft draft) {
        return Json.write(draft.fields()).length
                + utf8(draft.displayName())
                + utf8(draft.body())
                + utf8(draft.help().orElse(""));
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void insert(
            Connection connection, TenantId owner, TemplateName name, int version, TemplateDraft draft, Actor by)
            throws SQLException {
        TriggerChanges.execute(connection, NEXT, next -> {
            int bound = name(next, owner, name);
            next.setInt(bound + 1, version);
        });
        TriggerChanges.execute(connection, INSERT_VERSION, insert -> {
            int bound = name(insert, owner, name);
            insert.setInt(++bound, version);
            insert.setString(++bound, draft.displayName());
            insert.setString(++bound, draft.format().word());
            insert.setBytes(++bound, Json.write(draft.fields()));
            insert.setString(++bound, draft.body());
            insert.setString(++bound, draft.help().orElse(null));
            insert.setString(++bound, by.toString());
        });
    }

    private static Optional<TemplateVersion> newest(Connection connection, TenantId owner, TemplateName name)
            throws SQLException {
        return Database.query(connection, NEWEST, query -> name(query, owner, name), TemplateRows::version).stream()
                .findFirst();
    }

    private static final String OFF = """
            INSERT INTO flowstone.template_versions_off (tenant, set_id, id, version, off_at, off_by)
            SELECT v.tenant, v.set_id, v.id, v.version, clock_timestamp(), ?
            FROM flowstone.template_versions v
            WHERE v.tenant = ? AND v.set_id = ? AND v.id = ? AND v.version = ?
            ON CONFLICT DO NOTHING
            """;

    private static final String ON = """
            DELETE FROM flowstone.template_versions_off
            WHERE tenant = ? AND set_id = ? AND id = ? AND version = ?
            """;

    void enable(TenantId owner, TemplateName name, int version, boolean enabled, Actor by) throws JournalException {
        api.asTenant(owner, connection -> {
            TriggerChanges.execute(connection, enabled ? ON : OFF, change -> {
                int bound = 0;
                if (!enabled) {
                    change.setString(++bound, by.toString());
                }
                bound = name(change, bound, owner, name);
                change.setInt(bound + 1, version);
            });
            return version;
        });
    }

    private static int name(PreparedStatement statement, TenantId owner, TemplateName name) throws SQLException {
        return name(statement, 0, owner, name);
    }

    /** Binds an owner and a name behind what is bound; answers how many are bound then. */
    private static int name(PreparedStatement statement, int before, TenantId owner, TemplateName name)
            throws SQLException {
        int bound = before;
        statement.setString(++bound, owner.value());
        statement.setString(++bound, name.set().value());
        statement.setString(++bound, name.id().value());
        return bound;
    }
}
