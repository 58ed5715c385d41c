package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.Templates.SetChange;
import dev.flowstone.engine.template.Templates.SetWish;
import dev.flowstone.engine.template.Templates.Written;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
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

    /** Those who make sets of a tenant stand in line. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 31))";

    private static final String SET = "SELECT " + TemplateRows.SET_COLUMNS + """

            FROM flowstone.template_sets s
            WHERE s.tenant = ? AND s.id = ?
            """;

    private static final String COUNT_SETS = "SELECT count(*) FROM flowstone.template_sets WHERE tenant = ?";

    private static final String INSERT_SET = """
            INSERT INTO flowstone.template_sets
                (tenant, id, display_name, team, enabled, revision, created_at, created_by, changed_at, changed_by)
            VALUES (?, ?, ?, ?, true, 1, clock_timestamp(), ?, clock_timestamp(), ?)
            """;

    SetChange create(TenantId owner, TemplateSetId id, String displayName, String team, Actor by)
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
            INSERT INTO flowstone.templates AS t (tenant, set_id, id, latest)
            VALUES (?, ?, ?, 1)
            ON CONFLICT (tenant, set_id, id) DO UPDATE SET latest = t.latest + 1
            """;

    private static final String INSERT_VERSION = """
            INSERT INTO flowstone.template_versions
                (tenant, set_id, id, version, display_name, format, fields, body, help, created_at, created_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp(), ?)
            """;

    /** Those who write templates of a set stand in line at its row, so that versions have no gap. */
    Written write(TenantId owner, TemplateName name, TemplateDraft draft, Actor by) throws JournalException {
        return api.asTenant(owner, connection -> {
            if (set(connection, LOCK_SET, owner, name.set()).isEmpty()) {
                return new Written.NoSet();
            }
            Optional<TemplateVersion> newest = newest(connection, owner, name);
            if (newest.filter(it -> it.enabled() && it.draft().equals(draft)).isPresent()) {
                return new Written.Made(false, newest.get());
            }
            int next = newest.map(TemplateVersion::version).orElse(0) + 1;
            if (next > Templates.MOST_VERSIONS
                    || (next == 1
                            && count(connection, COUNT_TEMPLATES, owner, Optional.of(name.set()))
                                    >= Templates.MOST_TEMPLATES)) {
                return new Written.TooMany();
            }
            TriggerChanges.execute(connection, NEXT, insert -> name(insert, owner, name));
            TriggerChanges.execute(connection, INSERT_VERSION, insert -> {
                int bound = name(insert, owner, name);
                insert.setInt(++bound, next);
                insert.setString(++bound, draft.displayName());
                insert.setString(++bound, draft.format().word());
                insert.setBytes(++bound, Json.write(draft.fields()));
                insert.setString(++bound, draft.body());
                insert.setString(++bound, draft.help().orElse(null));
                insert.setString(++bound, by.toString());
            });
            return new Written.Made(true, newest(connection, owner, name).orElseThrow());
        });
    }

    private static Optional<TemplateVersion> newest(Connection connection, TenantId owner, TemplateName name)
            throws SQLException {
        return Database.query(connection, NEWEST, query -> name(query, owner, name), TemplateRows::version).stream()
                .findFirst();
    }

    private static final String OFF = """
            INSERT INTO flowstone.template_versions_off (tenant, set_id, id, version)
            SELECT v.tenant, v.set_id, v.id, v.version
            FROM flowstone.template_versions v
            WHERE v.tenant = ? AND v.set_id = ? AND v.id = ? AND v.version = ?
            ON CONFLICT DO NOTHING
            """;

    private static final String ON = """
            DELETE FROM flowstone.template_versions_off
            WHERE tenant = ? AND set_id = ? AND id = ? AND version = ?
            """;

    void enable(TenantId owner, TemplateName name, int version, boolean enabled) throws JournalException {
        api.asTenant(owner, connection -> {
            TriggerChanges.execute(connection, enabled ? ON : OFF, change -> {
                int bound = name(change, owner, name);
                change.setInt(bound + 1, version);
            });
            return version;
        });
    }

    /** Binds an owner and a name; answers how many are bound then. */
    private static int name(PreparedStatement statement, TenantId owner, TemplateName name) throws SQLException {
        statement.setString(1, owner.value());
        statement.setString(2, name.set().value());
        statement.setString(3, name.id().value());
        return 3;
    }
}
