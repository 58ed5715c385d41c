package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateEntry;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.TemplateVersionEntry;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Document templates as the API's role, each call in its tenant's transaction, which sees everybody's, too. */
final class PostgresTemplates implements Templates {
    /** The newest there may be, and one more. */
    private static final int BEYOND = MOST_VERSIONS + 1;

    private final Database api;
    private final TemplateChanges changes;

    PostgresTemplates(Database api) {
        this.api = api;
        this.changes = new TemplateChanges(api);
    }

    private static final String SETS = "SELECT " + TemplateRows.SET_COLUMNS + """

            FROM flowstone.template_sets s
            WHERE s.tenant IN (?, '*') AND s.id > ?
              AND (?::text IS NULL OR s.team = ?)
              AND (s.tenant = ? OR NOT EXISTS (
                  SELECT FROM flowstone.template_sets own WHERE own.tenant = ? AND own.id = s.id))
            ORDER BY s.id
            LIMIT ?
            """;

    @Override
    public List<TemplateSet> sets(TenantId tenant, Optional<String> team, Optional<TemplateSetId> after, int limit)
            throws JournalException {
        return api.searchAsTenant(
                tenant,
                SETS,
                query -> {
                    query.setString(1, tenant.value());
                    query.setString(2, after.map(TemplateSetId::value).orElse(""));
                    query.setString(3, team.orElse(null));
                    query.setString(4, team.orElse(null));
                    query.setString(5, tenant.value());
                    query.setString(6, tenant.value());
                    query.setInt(7, limit);
                },
                TemplateRows::set);
    }

    /** A tenant's own hides everybody's. */
    private static final String SET = "SELECT " + TemplateRows.SET_COLUMNS + """

            FROM flowstone.template_sets s
            WHERE s.tenant IN (?, '*') AND s.id = ?
            ORDER BY s.tenant <> ? DESC
            """;

    @Override
    public Optional<TemplateSet> set(TenantId tenant, TemplateSetId id) throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        SET,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setString(2, id.value());
                            query.setString(3, tenant.value());
                        },
                        TemplateRows::set)
                .stream()
                .reduce((_, own) -> own);
    }

    @Override
    public SetChange create(TenantId owner, TemplateSetId id, String displayName, String team, boolean hides, Actor by)
            throws JournalException {
        return changes.create(owner, id, displayName, team, hides, by);
    }

    @Override
    public Removal remove(TenantId owner, TemplateSetId id) throws JournalException {
        return changes.remove(owner, id);
    }

    @Override
    public SetChange update(TenantId owner, TemplateSetId id, SetWish wish, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.update(owner, id, wish, expected, by);
    }

    /** What a tenant sees: its own, and of everybody's sets those that none of its own hides. */
    private static final String SEEN = """

            FROM flowstone.templates t
            JOIN flowstone.template_sets s ON s.tenant = t.tenant AND s.id = t.set_id
            JOIN flowstone.template_versions v
              ON v.tenant = t.tenant AND v.set_id = t.set_id AND v.id = t.id AND v.version = t.latest
            WHERE t.tenant IN (?, '*')
              AND (t.tenant = ? OR NOT EXISTS (
                  SELECT FROM flowstone.template_sets own WHERE own.tenant = ? AND own.id = t.set_id))
            """;

    private static final String LIST = """
            SELECT t.set_id, t.id, t.tenant, s.team, v.display_name, t.latest,
                   CASE WHEN s.enabled THEN (
                       SELECT max(u.version) FROM flowstone.template_versions u
                       WHERE u.tenant = t.tenant AND u.set_id = t.set_id AND u.id = t.id
                         AND NOT EXISTS (
                             SELECT FROM flowstone.template_versions_off o
                             WHERE o.tenant = u.tenant AND o.set_id = u.set_id AND o.id = u.id AND o.version = u.version))
                   END
            """ + SEEN + """
              AND (?::text IS NULL OR s.team = ?)
              AND (?::text IS NULL OR t.set_id = ?)
              AND (t.set_id, t.id) > (?, ?)
            ORDER BY t.set_id, t.id
            LIMIT ?
            """;

    @Override
    public List<TemplateEntry> list(TenantId tenant, Filter filter, Optional<TemplateName> after, int limit)
            throws JournalException {
        return api.searchAsTenant(
                tenant,
                LIST,
                query -> {
                    for (int i = 1; i <= 3; i++) {
                        query.setString(i, tenant.value());
                    }
                    for (int i = 4; i <= 5; i++) {
                        query.setString(i, filter.team().orElse(null));
                    }
                    for (int i = 6; i <= 7; i++) {
                        query.setString(
                                i, filter.set().map(TemplateSetId::value).orElse(null));
                    }
                    query.setString(8, after.map(it -> it.set().value()).orElse(""));
                    query.setString(9, after.map(it -> it.id().value()).orElse(""));
                    query.setInt(10, limit);
                },
                TemplateRows::entry);
    }

    /** One's own come before everybody's, so that none that is new there changes what a name means. */
    private static final String NAMED = "SELECT t.set_id, t.id" + SEEN + """
              AND t.id = ?
              AND (t.tenant = ? OR NOT EXISTS (
                  SELECT FROM flowstone.templates mine WHERE mine.tenant = ? AND mine.id = t.id))
            ORDER BY t.set_id
            LIMIT ?
            """;

    @Override
    public List<TemplateName> named(TenantId tenant, TemplateId id, int limit) throws JournalException {
        return api.searchAsTenant(
                tenant,
                NAMED,
                query -> {
                    for (int i = 1; i <= 3; i++) {
                        query.setString(i, tenant.value());
                    }
                    query.setString(4, id.value());
                    query.setString(5, tenant.value());
                    query.setString(6, tenant.value());
                    query.setInt(7, limit);
                },
                TemplateRows::name);
    }

    /** Of the tenant's own set if it has one of that id, else of everybody's. */
    private static final String VERSIONS = """

            FROM flowstone.template_versions v
            JOIN flowstone.template_sets s ON s.tenant = v.tenant AND s.id = v.set_id
            LEFT JOIN flowstone.template_versions_off o
              ON o.tenant = v.tenant AND o.set_id = v.set_id AND o.id = v.id AND o.version = v.version
            WHERE v.tenant = CASE WHEN EXISTS (
                    SELECT FROM flowstone.template_sets own WHERE own.tenant = ? AND own.id = ?) THEN ? ELSE '*' END
              AND v.set_id = ? AND v.id = ?
            """;

    private static final String ONE = "SELECT " + TemplateRows.VERSION_COLUMNS + VERSIONS + "  AND v.version = ?";

    private static final String NEWEST = "SELECT " + TemplateRows.VERSION_COLUMNS + VERSIONS
            + "  AND o.version IS NULL ORDER BY v.version DESC LIMIT 1";

    @Override
    public Optional<TemplateVersion> find(TenantId tenant, TemplateName name, OptionalInt version)
            throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        version.isPresent() ? ONE : NEWEST,
                        query -> {
                            int bound = seen(query, tenant, name);
                            if (version.isPresent()) {
                                query.setInt(bound + 1, version.getAsInt());
                            }
                        },
                        TemplateRows::version)
                .stream()
                .findFirst();
    }

    private static final String PAGE = "SELECT " + TemplateRows.VERSION_ENTRY_COLUMNS + VERSIONS
            + "  AND v.version < ? ORDER BY v.version DESC LIMIT ?";

    @Override
    public List<TemplateVersionEntry> versions(TenantId tenant, TemplateName name, OptionalInt before, int limit)
            throws JournalException {
        return api.queryAsTenant(
                tenant,
                PAGE,
                query -> {
                    int bound = seen(query, tenant, name);
                    query.setInt(++bound, before.orElse(BEYOND));
                    query.setInt(++bound, limit);
                },
                TemplateRows::versionEntry);
    }

    /** Binds a tenant and what it names; answers how many are bound then. */
    private static int seen(PreparedStatement query, TenantId tenant, TemplateName name) throws SQLException {
        query.setString(1, tenant.value());
        query.setString(2, name.set().value());
        query.setString(3, tenant.value());
        query.setString(4, name.set().value());
        query.setString(5, name.id().value());
        return 5;
    }

    @Override
    public Written write(TenantId owner, TemplateName name, TemplateDraft draft, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.write(owner, name, draft, expected, by);
    }

    @Override
    public Optional<TemplateVersion> enable(TenantId owner, TemplateName name, int version, boolean enabled, Actor by)
            throws JournalException {
        changes.enable(owner, name, version, enabled, by);
        return find(owner, name, OptionalInt.of(version));
    }
}
