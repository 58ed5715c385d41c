package dev.flowstone.postgres;

import dev.flowstone.engine.catalog.Catalog.Turned;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.OfferedAction;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.catalog.SwitchState;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What nodes say they have, and what operators turn off, each in one transaction. */
final class CatalogChanges {
    private final Database engine;

    CatalogChanges(Database engine) {
        this.engine = engine;
    }

    /** Nodes that start at the same time stand in line: they write the same rows. No operator waits for them. */
    static final String REGISTERING = "SELECT pg_advisory_xact_lock(hashtextextended('flowstone.catalog', 32))";

    private static final String NODE = """
            INSERT INTO flowstone.catalog_nodes AS n (node, seen_at) VALUES (?, clock_timestamp())
            ON CONFLICT (node) DO UPDATE SET seen_at = excluded.seen_at
            """;

    /** Long after they count for nothing: names of nodes may be new at each start. */
    private static final String FORGET_NODES =
            "DELETE FROM flowstone.catalog_nodes WHERE seen_at < clock_timestamp() - interval '1 day'";

    private static final String FORGET_OFFERS = "DELETE FROM flowstone.catalog_offers WHERE node = ?";

    private static final String OFFER =
            "INSERT INTO flowstone.catalog_offers (node, kind, id, version) VALUES (?, ?, ?, ?)";

    /** Versions that no node has, unless there is none newer. */
    private static final String FORGET_ACTIONS = """
            DELETE FROM flowstone.catalog_actions a
            WHERE NOT EXISTS (
                    SELECT FROM flowstone.catalog_offers o
                    WHERE o.kind = 'ACTION' AND o.id = a.id AND o.version = a.version)
              AND EXISTS (
                    SELECT FROM flowstone.catalog_actions b
                    WHERE b.id = a.id
                      AND string_to_array(b.version, '.')::int[] > string_to_array(a.version, '.')::int[])
            """;

    private static final String FORGET_CONNECTORS = """
            DELETE FROM flowstone.catalog_connectors c
            WHERE NOT EXISTS (
                    SELECT FROM flowstone.catalog_offers o
                    WHERE o.kind = 'CONNECTOR' AND o.id = c.id AND o.version = c.version)
              AND EXISTS (
                    SELECT FROM flowstone.catalog_connectors b
                    WHERE b.id = c.id
                      AND string_to_array(b.version, '.')::int[] > string_to_array(c.version, '.')::int[])
            """;

    void register(String node, Offer offer) throws JournalException {
        boolean _ = engine.transaction(connection -> {
            TriggerChanges.execute(connection, REGISTERING, lock -> {});
            TriggerChanges.execute(connection, FORGET_NODES, forget -> {});
            TriggerChanges.execute(connection, NODE, insert -> insert.setString(1, node));
            TriggerChanges.execute(connection, FORGET_OFFERS, forget -> forget.setString(1, node));
            upsert(connection, offer);
            batch(connection, OFFER, offer.connectors(), (insert, _, it) -> offer(insert, node, of(it), it.version()));
            batch(connection, OFFER, offer.actions(), (insert, _, it) -> offer(insert, node, of(it), it.version()));
            TriggerChanges.execute(connection, FORGET_ACTIONS, forget -> {});
            TriggerChanges.execute(connection, FORGET_CONNECTORS, forget -> {});
            return true;
        });
    }

    void enter(Offer offer) throws JournalException {
        boolean _ = engine.transaction(connection -> {
            upsert(connection, offer);
            return true;
        });
    }

    private static void upsert(Connection connection, Offer offer) throws SQLException {
        batch(connection, CatalogRows.UPSERT_CONNECTOR, offer.connectors(), CatalogRows::bind);
        batch(connection, CatalogRows.UPSERT_ACTION, offer.actions(), CatalogRows::bind);
    }

    private static Subject of(OfferedConnector connector) {
        return Subject.connector(connector.id());
    }

    private static Subject of(OfferedAction action) {
        return Subject.action(action.id());
    }

    private static void offer(PreparedStatement insert, String node, Subject subject, String version)
            throws SQLException {
        insert.setString(1, node);
        names(insert, 2, subject);
        insert.setString(4, version);
    }

    /** What a row says. */
    @FunctionalInterface
    private interface Binding<T> {
        void bind(PreparedStatement statement, Connection connection, T item) throws SQLException;
    }

    private static <T> void batch(Connection connection, String sql, List<T> items, Binding<T> binding)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (T item : items) {
                binding.bind(statement, connection, item);
                statement.addBatch();
            }
            int[] _ = statement.executeBatch();
        }
    }

    /** Who turns the same thing on or off stands in line: a revision is one change's. */
    private static final String TURNING =
            "SELECT pg_advisory_xact_lock(hashtextextended('flowstone.catalog.' || ? || '.' || ?, 32))";

    private static final String IS_THERE = """
            SELECT EXISTS (SELECT FROM flowstone.catalog_actions a WHERE ? = 'ACTION' AND a.id = ?)
                OR EXISTS (SELECT FROM flowstone.catalog_connectors c WHERE ? = 'CONNECTOR' AND c.id = ?)
            """;

    private static final String STATE = "SELECT " + CatalogRows.STATE_COLUMNS + """

            FROM flowstone.catalog_switches s
            WHERE s.kind = ? AND s.id = ?
            ORDER BY s.revision DESC
            LIMIT 1
            """;

    private static final String TURN = """
            INSERT INTO flowstone.catalog_switches (kind, id, revision, is_on, reason, switched_at, switched_by)
            VALUES (?, ?, ?, ?, ?, clock_timestamp(), ?)
            """;

    Turned turn(Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by)
            throws JournalException {
        return engine.transaction(connection -> {
            TriggerChanges.execute(connection, TURNING, lock -> names(lock, 1, subject));
            if (!isThere(connection, subject)) {
                return new Turned.Unknown();
            }
            SwitchState state = state(connection, subject);
            if (expected.isPresent() && expected.getAsLong() != state.revision()) {
                return new Turned.OtherRevision(state.revision());
            }
            if (state.on() == on) {
                return new Turned.Done(state);
            }
            TriggerChanges.execute(connection, TURN, insert -> {
                names(insert, 1, subject);
                insert.setLong(3, state.revision() + 1);
                insert.setBoolean(4, on);
                insert.setString(5, reason.orElse(null));
                insert.setString(6, by.toString());
            });
            return new Turned.Done(state(connection, subject));
        });
    }

    private static boolean isThere(Connection connection, Subject subject) throws SQLException {
        return Database.query(
                        connection,
                        IS_THERE,
                        query -> {
                            names(query, 1, subject);
                            names(query, 3, subject);
                        },
                        row -> row.getBoolean(1))
                .getFirst();
    }

    private static SwitchState state(Connection connection, Subject subject) throws SQLException {
        return Database.query(connection, STATE, query -> names(query, 1, subject), row -> CatalogRows.state(row, 1))
                .stream()
                .findFirst()
                .orElse(SwitchState.UNTOUCHED);
    }

    private static void names(PreparedStatement statement, int from, Subject subject) throws SQLException {
        statement.setString(from, subject.kind().name());
        statement.setString(from + 1, subject.id());
    }
}
