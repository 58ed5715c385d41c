package dev.flowstone.postgres;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database of its own for each test, and how to look behind the ports. */
abstract class PostgresTest {
    private final OpenedPorts databases = new OpenedPorts();
    private PostgresConfig config;
    private PostgresPorts opened;

    /** Only {@link #open} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    PostgresTest() {}

    @BeforeEach
    final void open() throws Exception {
        config = TestServer.shared().database();
        opened = databases.open(config);
    }

    @AfterEach
    final void close() {
        databases.close();
    }

    final PostgresConfig config() {
        return config;
    }

    final PostgresPorts opened() {
        return opened;
    }

    final Journal journal() {
        return opened.ports().journal();
    }

    final Lease lease(int shard) throws JournalException {
        return opened.ports()
                .leases()
                .acquire(new ShardId(shard), "test", Duration.ofMinutes(5))
                .orElseThrow();
    }

    /** As the superuser. */
    final void admin(String... statements) throws SQLException {
        try (Connection connection = TestServer.admin(config)) {
            run(connection, statements);
        }
    }

    final long number(String query) throws SQLException {
        try (Connection connection = TestServer.admin(config)) {
            return number(connection, query);
        }
    }

    static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
