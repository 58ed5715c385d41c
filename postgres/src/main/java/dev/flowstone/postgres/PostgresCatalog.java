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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The catalog, which is nobody's tenant's. Nodes and operators write it as the engine's role; whoever looks does so as the API's, so that
 * nobody takes a connection from who commits.
 */
final class PostgresCatalog implements Catalog {
    private final Database engine;
    private final Database api;
    private final CatalogChanges changes;

    PostgresCatalog(Database engine, Database api) {
        this.engine = engine;
        this.api = api;
        this.changes = new CatalogChanges(engine);
    }

    @Override
    public void register(String node, Offer offer) throws JournalException {
        changes.register(node, offer);
    }

    @Override
    public void enter(Offer offer) throws JournalException {
        changes.enter(offer);
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

    /**
     * Of each id the newest version that a node has now, else the newest; the bound is {@link Catalog#SILENT_AFTER}. Each row is looked up
     * along keys, so that one costs what its own versions and changes cost, however many there are.
     */
    private static final String CONNECTORS_NOW = """
            SELECT DISTINCT ON (k.id) k.*, EXISTS (
                       SELECT FROM flowstone.catalog_offers o JOIN flowstone.catalog_nodes n ON n.node = o.node
                       WHERE o.kind = 'CONNECTOR' AND o.id = k.id AND o.version = k.version
                         AND n.seen_at > clock_timestamp() - interval '2 minutes') AS registered
            FROM flowstone.catalog_connectors k
            WHERE k.id %s
            ORDER BY k.id, registered DESC, string_to_array(k.version, '.')::int[] DESC
            """;

    private static final String ACTIONS_NOW = """
            SELECT DISTINCT ON (k.id) k.*, EXISTS (
                       SELECT FROM flowstone.catalog_offers o JOIN flowstone.catalog_nodes n ON n.node = o.node
                       WHERE o.kind = 'ACTION' AND o.id = k.id AND o.version = k.version
                         AND n.seen_at > clock_timestamp() - interval '2 minutes') AS registered
            FROM flowstone.catalog_actions k
            WHERE k.id %s
            ORDER BY k.id, registered DESC, string_to_array(k.version, '.')::int[] DESC
            """;

    private static final String CONNECTORS = """
            SELECT %s
            FROM (%s) c
            LEFT JOIN LATERAL (
                SELECT * FROM flowstone.catalog_switches w
                WHERE w.kind = 'CONNECTOR' AND w.id = c.id
                ORDER BY w.revision DESC
                LIMIT 1) s ON true
            """;

    /** One that a page was asked for ends before the rest is looked up. */
    static final String CONNECTOR_PAGE =
            CONNECTORS.formatted(CatalogRows.CONNECTOR_IN_A_LIST, CONNECTORS_NOW.formatted("> ?")) + """
            ORDER BY c.id
            LIMIT ?
            """;

    @Override
    public List<CatalogConnector> connectors(Optional<String> after, int limit) throws JournalException {
        return api.query(
                CONNECTOR_PAGE,
                query -> {
                    query.setString(1, after.orElse(""));
                    query.setInt(2, limit);
                },
                CatalogRows::connector);
    }

    static final String CONNECTOR = CONNECTORS.formatted(CatalogRows.CONNECTOR, CONNECTORS_NOW.formatted("= ?"));

    @Override
    public Optional<CatalogConnector> connector(String id) throws JournalException {
        return api.query(CONNECTOR, query -> query.setString(1, id), CatalogRows::connector).stream()
                .findFirst();
    }

    private static final String ACTIONS = """
            SELECT %s
            FROM (SELECT a.*, coalesce(c.enabled AND coalesce(t.is_on, true), true) AS connector_enabled
                  FROM (%s) a
                  LEFT JOIN LATERAL (%s) c ON true
                  LEFT JOIN LATERAL (
                      SELECT w.is_on FROM flowstone.catalog_switches w
                      WHERE w.kind = 'CONNECTOR' AND w.id = a.connector
                      ORDER BY w.revision DESC
                      LIMIT 1) t ON true) a
            LEFT JOIN LATERAL (
                SELECT * FROM flowstone.catalog_switches w
                WHERE w.kind = 'ACTION' AND w.id = a.id
                ORDER BY w.revision DESC
                LIMIT 1) s ON true
            """;

    private static final String ITS_CONNECTOR = CONNECTORS_NOW.formatted("= a.connector");

    static final String ACTION_PAGE =
            ACTIONS.formatted(CatalogRows.ACTION_IN_A_LIST, ACTIONS_NOW.formatted("> ?"), ITS_CONNECTOR) + """
            WHERE (?::text IS NULL OR a.connector = ?)
              AND (?::text IS NULL OR lower(a.category) = lower(?))
              AND (?::text IS NULL OR ? = ANY (a.tags))
              AND (?::text IS NULL
                   OR strpos(lower(concat_ws(E'\\n', a.id, a.display_name, a.description, array_to_string(a.tags, E'\\n'))), lower(?)) > 0)
              AND (?::boolean IS NULL OR (a.enabled AND a.connector_enabled AND coalesce(s.is_on, true)) = ?)
            ORDER BY a.id
            LIMIT ?
            """;

    @Override
    public List<CatalogAction> actions(Filter filter, Optional<String> after, int limit) throws JournalException {
        return api.query(
                ACTION_PAGE,
                query -> {
                    query.setString(1, after.orElse(""));
                    twice(query, 2, filter.connector().orElse(null));
                    twice(query, 4, filter.category().orElse(null));
                    twice(query, 6, filter.tag().orElse(null));
                    twice(query, 8, filter.search().orElse(null));
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

    static final String ACTION = ACTIONS.formatted(CatalogRows.ACTION, ACTIONS_NOW.formatted("= ?"), ITS_CONNECTOR);

    @Override
    public Optional<CatalogAction> action(String id) throws JournalException {
        return api.query(ACTION, query -> query.setString(1, id), CatalogRows::action).stream()
                .findFirst();
    }

    @Override
    public Turned turn(Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.turn(subject, on, reason, expected, by);
    }

    /** Every node asks every two seconds: along an index of what was ever turned off, and not through all changes. */
    static final String OFF = """
            SELECT w.kind, w.id
            FROM flowstone.catalog_switches w
            WHERE NOT w.is_on
              AND NOT EXISTS (
                    SELECT FROM flowstone.catalog_switches n
                    WHERE n.kind = w.kind AND n.id = w.id AND n.revision > w.revision)
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
