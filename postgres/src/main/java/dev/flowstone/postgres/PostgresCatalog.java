package dev.flowstone.postgres;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.CatalogAction;
import dev.flowstone.engine.catalog.CatalogConnector;
import dev.flowstone.engine.catalog.Off;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The catalog, as the engine's role: it is nobody's tenant's. */
final class PostgresCatalog implements Catalog {
    private final Database engine;
    private final CatalogChanges changes;

    PostgresCatalog(Database engine) {
        this.engine = engine;
        this.changes = new CatalogChanges(engine);
    }

    @Override
    public void register(String node, Offer offer) throws JournalException {
        changes.register(node, offer);
    }

    private static final String SEEN = "UPDATE flowstone.catalog_nodes SET seen_at = clock_timestamp() WHERE node = ?";

    @Override
    public boolean seen(String node) throws JournalException {
        return engine.change(SEEN, update -> update.setString(1, node)) > 0;
    }

    private static final String LEAVE = "DELETE FROM flowstone.catalog_nodes WHERE node = ?";

    @Override
    public void leave(String node) throws JournalException {
        long _ = engine.change(LEAVE, delete -> delete.setString(1, node));
    }

    /** Which versions nodes have that are there; the bound is {@link Catalog#SILENT_AFTER}. */
    private static final String LIVE = """
            live AS (
                SELECT DISTINCT o.kind, o.id, o.version
                FROM flowstone.catalog_offers o JOIN flowstone.catalog_nodes n ON n.node = o.node
                WHERE n.seen_at > clock_timestamp() - interval '2 minutes'),
            """;

    private static final String NEWEST_SWITCHES = """
            switches AS (
                SELECT DISTINCT ON (w.kind, w.id) w.*
                FROM flowstone.catalog_switches w
                ORDER BY w.kind, w.id, w.revision DESC),
            """;

    /** Of each id the newest version that a node has now, else the newest. */
    private static final String CONNECTORS_NOW = """
            connectors AS (
                SELECT DISTINCT ON (k.id) k.*, l.id IS NOT NULL AS registered
                FROM flowstone.catalog_connectors k
                LEFT JOIN live l ON l.kind = 'CONNECTOR' AND l.id = k.id AND l.version = k.version
                ORDER BY k.id, l.id IS NOT NULL DESC, string_to_array(k.version, '.')::int[] DESC)
            """;

    private static final String ACTIONS_NOW = """
            , actions AS (
                SELECT DISTINCT ON (k.id) k.*, l.id IS NOT NULL AS registered,
                       coalesce(c.enabled AND coalesce(t.is_on, true), true) AS connector_enabled
                FROM flowstone.catalog_actions k
                LEFT JOIN live l ON l.kind = 'ACTION' AND l.id = k.id AND l.version = k.version
                LEFT JOIN connectors c ON c.id = k.connector
                LEFT JOIN switches t ON t.kind = 'CONNECTOR' AND t.id = k.connector
                ORDER BY k.id, l.id IS NOT NULL DESC, string_to_array(k.version, '.')::int[] DESC)
            """;

    private static final String CONNECTORS =
            "WITH " + LIVE + NEWEST_SWITCHES + CONNECTORS_NOW + " SELECT " + CatalogRows.CONNECTOR_COLUMNS + """

            FROM connectors c
            LEFT JOIN switches s ON s.kind = 'CONNECTOR' AND s.id = c.id
            """;

    private static final String CONNECTOR_PAGE = CONNECTORS + """
            WHERE c.id > ?
            ORDER BY c.id
            LIMIT ?
            """;

    @Override
    public List<CatalogConnector> connectors(Optional<String> after, int limit) throws JournalException {
        return engine.query(
                CONNECTOR_PAGE,
                query -> {
                    query.setString(1, after.orElse(""));
                    query.setInt(2, limit);
                },
                CatalogRows::connector);
    }

    private static final String CONNECTOR = CONNECTORS + "WHERE c.id = ?";

    @Override
    public Optional<CatalogConnector> connector(String id) throws JournalException {
        return engine.query(CONNECTOR, query -> query.setString(1, id), CatalogRows::connector).stream()
                .findFirst();
    }

    private static final String ACTIONS = "WITH " + LIVE + NEWEST_SWITCHES + CONNECTORS_NOW + ACTIONS_NOW + " SELECT "
            + CatalogRows.ACTION_COLUMNS + """

            FROM actions a
            LEFT JOIN switches s ON s.kind = 'ACTION' AND s.id = a.id
            """;

    private static final String ACTION_PAGE = ACTIONS + """
            WHERE a.id > ?
              AND (?::text IS NULL OR a.connector = ?)
              AND (?::text IS NULL OR lower(a.category) = ?)
              AND (?::text IS NULL OR ? = ANY (a.tags))
              AND (?::text IS NULL
                   OR strpos(lower(concat_ws(E'\\n', a.id, a.display_name, a.description, array_to_string(a.tags, E'\\n'))), ?) > 0)
              AND (?::boolean IS NULL OR (a.enabled AND a.connector_enabled AND coalesce(s.is_on, true)) = ?)
            ORDER BY a.id
            LIMIT ?
            """;

    @Override
    public List<CatalogAction> actions(Filter filter, Optional<String> after, int limit) throws JournalException {
        return engine.query(
                ACTION_PAGE,
                query -> {
                    query.setString(1, after.orElse(""));
                    twice(query, 2, filter.connector().orElse(null));
                    twice(
                            query,
                            4,
                            filter.category().map(PostgresCatalog::lower).orElse(null));
                    twice(query, 6, filter.tag().orElse(null));
                    twice(query, 8, filter.search().map(PostgresCatalog::lower).orElse(null));
                    for (int i = 10; i <= 11; i++) {
                        query.setObject(i, filter.enabled().orElse(null), Types.BOOLEAN);
                    }
                    query.setInt(12, limit);
                },
                CatalogRows::action);
    }

    private static void twice(PreparedStatement query, int from, @Nullable String value) throws SQLException {
        query.setString(from, value);
        query.setString(from + 1, value);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static final String ACTION = ACTIONS + "WHERE a.id = ?";

    @Override
    public Optional<CatalogAction> action(String id) throws JournalException {
        return engine.query(ACTION, query -> query.setString(1, id), CatalogRows::action).stream()
                .findFirst();
    }

    @Override
    public Turned turn(Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.turn(subject, on, reason, expected, by);
    }

    private static final String OFF = """
            SELECT n.kind, n.id
            FROM (SELECT DISTINCT ON (w.kind, w.id) w.kind, w.id, w.is_on
                  FROM flowstone.catalog_switches w
                  ORDER BY w.kind, w.id, w.revision DESC) n
            WHERE NOT n.is_on
            """;

    @Override
    public Off off() throws JournalException {
        Map<Subject.Kind, Set<String>> off = engine
                .query(OFF, query -> {}, row -> new Subject(Subject.Kind.valueOf(row.getString(1)), row.getString(2)))
                .stream()
                .collect(Collectors.groupingBy(Subject::kind, Collectors.mapping(Subject::id, Collectors.toSet())));
        return new Off(
                off.getOrDefault(Subject.Kind.CONNECTOR, Set.of()), off.getOrDefault(Subject.Kind.ACTION, Set.of()));
    }
}
