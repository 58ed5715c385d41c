package dev.flowstone.postgres;

import dev.flowstone.engine.catalog.CatalogAction;
import dev.flowstone.engine.catalog.CatalogConnector;
import dev.flowstone.engine.catalog.OfferedAction;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.SwitchState;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Rows of the catalog as they are written and read. */
final class CatalogRows {
    /** For {@link #bind(PreparedStatement, Connection, OfferedConnector)}; written again only if something is another. */
    static final String UPSERT_CONNECTOR = """
            INSERT INTO flowstone.catalog_connectors AS c
                (id, version, display_name, description, icon_url, documentation_url, enabled, requires_auth, auth_type,
                 config_schema, capabilities, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp())
            ON CONFLICT (id, version) DO UPDATE
            SET display_name = excluded.display_name, description = excluded.description, icon_url = excluded.icon_url,
                documentation_url = excluded.documentation_url, enabled = excluded.enabled,
                requires_auth = excluded.requires_auth, auth_type = excluded.auth_type,
                config_schema = excluded.config_schema, capabilities = excluded.capabilities
            WHERE (c.display_name, c.description, c.icon_url, c.documentation_url, c.enabled, c.requires_auth, c.auth_type,
                   c.config_schema, c.capabilities)
                  IS DISTINCT FROM
                  (excluded.display_name, excluded.description, excluded.icon_url, excluded.documentation_url,
                   excluded.enabled, excluded.requires_auth, excluded.auth_type, excluded.config_schema,
                   excluded.capabilities)
            """;

    /** For {@link #bind(PreparedStatement, Connection, OfferedAction)}; likewise. */
    static final String UPSERT_ACTION = """
            INSERT INTO flowstone.catalog_actions AS a
                (id, version, connector, display_name, description, category, tags, parameter_schema, output_schema, enabled,
                 deprecation, deprecated_since, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp())
            ON CONFLICT (id, version) DO UPDATE
            SET connector = excluded.connector, display_name = excluded.display_name, description = excluded.description,
                category = excluded.category, tags = excluded.tags, parameter_schema = excluded.parameter_schema,
                output_schema = excluded.output_schema, enabled = excluded.enabled, deprecation = excluded.deprecation,
                deprecated_since = excluded.deprecated_since
            WHERE (a.connector, a.display_name, a.description, a.category, a.tags, a.parameter_schema, a.output_schema,
                   a.enabled, a.deprecation, a.deprecated_since)
                  IS DISTINCT FROM
                  (excluded.connector, excluded.display_name, excluded.description, excluded.category, excluded.tags,
                   excluded.parameter_schema, excluded.output_schema, excluded.enabled, excluded.deprecation,
                   excluded.deprecated_since)
            """;

    /** For {@link #state}, of a switch {@code s}. */
    static final String STATE_COLUMNS = "s.is_on, s.revision, s.reason, s.switched_at, s.switched_by";

    /** For {@link #connector}: of a connector {@code c}, and its switch {@code s}. */
    static final String CONNECTOR = """
            c.id, c.version, c.display_name, c.description, c.icon_url, c.documentation_url, c.enabled, c.requires_auth, c.auth_type,
            c.config_schema, c.capabilities, c.registered, c.created_at,\s""" + STATE_COLUMNS;

    /** Without its schema: a list may be long. */
    static final String CONNECTOR_IN_A_LIST = CONNECTOR.replace("c.config_schema", "NULL::bytea");

    /** For {@link #action}: of an action {@code a}, and its switch {@code s}. */
    static final String ACTION = """
            a.id, a.version, a.connector, a.display_name, a.description, a.category, a.tags, a.parameter_schema, a.output_schema,
            a.enabled, a.deprecation, a.deprecated_since, a.registered, a.connector_enabled, a.created_at,\s""" + STATE_COLUMNS;

    /** Without its schemas. */
    static final String ACTION_IN_A_LIST =
            ACTION.replace("a.parameter_schema", "NULL::bytea").replace("a.output_schema", "NULL::bytea");

    private CatalogRows() {}

    static void bind(PreparedStatement insert, Connection connection, OfferedConnector connector) throws SQLException {
        insert.setString(1, connector.id());
        insert.setString(2, connector.version());
        insert.setString(3, connector.displayName());
        insert.setString(4, connector.description());
        insert.setString(5, connector.iconUrl().orElse(null));
        insert.setString(6, connector.documentationUrl().orElse(null));
        insert.setBoolean(7, connector.enabled());
        insert.setBoolean(8, connector.requiresAuth());
        insert.setString(9, connector.authType().orElse(null));
        insert.setBytes(10, connector.configSchema().map(Json::write).orElse(null));
        insert.setArray(
                11, connection.createArrayOf("text", connector.capabilities().toArray()));
    }

    static void bind(PreparedStatement insert, Connection connection, OfferedAction action) throws SQLException {
        insert.setString(1, action.id());
        insert.setString(2, action.version());
        insert.setString(3, action.connector());
        insert.setString(4, action.displayName());
        insert.setString(5, action.description());
        insert.setString(6, action.category());
        insert.setArray(7, connection.createArrayOf("text", action.tags().toArray()));
        insert.setBytes(8, Json.write(action.parameterSchema()));
        insert.setBytes(9, Json.write(action.outputSchema()));
        insert.setBoolean(10, action.enabled());
        insert.setString(11, action.deprecation().orElse(null));
        insert.setString(12, action.deprecatedSince().orElse(null));
    }

    static CatalogConnector connector(ResultSet row) throws SQLException {
        return new CatalogConnector(
                new OfferedConnector(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        Optional.ofNullable(row.getString(5)),
                        Optional.ofNullable(row.getString(6)),
                        row.getBoolean(7),
                        row.getBoolean(8),
                        Optional.ofNullable(row.getString(9)),
                        schema(row, 10),
                        texts(row, 11)),
                row.getBoolean(12),
                state(row, 14),
                Times.instant(row, 13));
    }

    static CatalogAction action(ResultSet row) throws SQLException {
        JsonObject parameters = schema(row, 8).orElse(JsonObject.EMPTY);
        JsonObject outputs = schema(row, 9).orElse(JsonObject.EMPTY);
        return new CatalogAction(
                new OfferedAction(
                        row.getString(1),
                        row.getString(3),
                        row.getString(2),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        texts(row, 7),
                        parameters,
                        outputs,
                        row.getBoolean(10),
                        Optional.ofNullable(row.getString(11)),
                        Optional.ofNullable(row.getString(12))),
                row.getBoolean(13),
                row.getBoolean(14),
                state(row, 16),
                Times.instant(row, 15));
    }

    /** The five columns of a switch from this one on, empty if nobody ever used it. */
    static SwitchState state(ResultSet row, int column) throws SQLException {
        long revision = row.getLong(column + 1);
        if (revision == 0) {
            return SwitchState.UNTOUCHED;
        }
        return new SwitchState(
                row.getBoolean(column),
                revision,
                Optional.of(new SwitchState.Change(
                        Times.instant(row, column + 3),
                        Actor.parse(row.getString(column + 4)),
                        Optional.ofNullable(row.getString(column + 2)))));
    }

    private static Optional<JsonObject> schema(ResultSet row, int column) throws SQLException {
        byte[] written = row.getBytes(column);
        return written == null ? Optional.empty() : Optional.of(Json.read(written));
    }

    private static List<String> texts(ResultSet row, int column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }
}
