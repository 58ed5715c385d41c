package dev.flowstone.postgres;

import dev.flowstone.postgres.PostgresOpenException.Reason;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Asks the server itself, as the role that commits, whether what it acknowledges survives a power cut. */
final class Durability {
    private static final String UNSAFE = """
            SELECT name, setting FROM pg_settings
            WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
            ORDER BY name
            """;
    private static final int OLDEST_VERSION = 15;

    private Durability() {}

    static void check(Connection connection) throws SQLException, PostgresOpenException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < OLDEST_VERSION) {
            throw new PostgresOpenException(
                    Reason.TOO_OLD,
                    "PostgreSQL " + version + " is too old: Flowstone needs " + OLDEST_VERSION + " or newer");
        }
        List<String> off = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(UNSAFE)) {
            while (rows.next()) {
                off.add(rows.getString(1) + " = " + rows.getString(2));
            }
        }
        if (!off.isEmpty()) {
            throw new PostgresOpenException(
                    Reason.NOT_DURABLE,
                    "the database would lose acknowledged work in a crash (" + String.join(", ", off)
                            + "): turn it on, for the server, the database and the role");
        }
    }
}
