package dev.flowstone.postgres;

import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;

/** One server for the whole JVM, stopped when it ends, and migrated databases copied from a template. */
public final class TestServer {
    private static final String TEMPLATE = "flowstone_template";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final EmbeddedPostgres server;

    private TestServer(EmbeddedPostgres server) {
        this.server = server;
    }

    private static final class Shared {
        static final TestServer SERVER = start();

        private static TestServer start() {
            try {
                Path directory = TestFiles.directory("flowstone-test-");
                EmbeddedPostgres server =
                        EmbeddedPostgres.start(EmbeddedConfig.in(directory).withSharedBuffers(64));
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    // Not closed: a shutdown checkpoint would flush hundreds of databases that nobody wants any more.
                    TestProcesses.kill(server.processId());
                    TestFiles.delete(directory);
                }));
                TestServer shared = new TestServer(server);
                shared.execute("CREATE DATABASE " + TEMPLATE);
                PostgresPorts.open(shared.server.config().withDatabase(TEMPLATE))
                        .close();
                return shared;
            } catch (Exception e) {
                throw new IllegalStateException("no server to test against", e);
            }
        }
    }

    public static TestServer shared() {
        return Shared.SERVER;
    }

    /** A fresh database with this release's schema, of two shards. */
    PostgresConfig database() throws SQLException {
        String name = "test_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
        return server.config().withDatabase(name).withConnections(4, 4);
    }

    /** A fresh database with nothing in it. */
    public PostgresConfig emptyDatabase() throws SQLException {
        String name = "empty_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return server.config().withDatabase(name).withConnections(4, 4);
    }

    /** Brings an empty database to the schema of an earlier release, and no further. */
    public static void migrate(PostgresConfig empty, int version) {
        Flyway.configure()
                .dataSource(empty.url(), empty.admin().user(), empty.admin().password())
                .locations("classpath:dev/flowstone/postgres/schema")
                .schemas("flowstone")
                .createSchemas(true)
                .placeholders(Map.of(
                        "owner", empty.roles().owner(),
                        "engine", empty.roles().engine(),
                        "api", empty.roles().api()))
                .target(Integer.toString(version))
                .load()
                .migrate();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = admin(server.config());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** As the superuser, whom row-level security doesn't hold. */
    public static Connection admin(PostgresConfig config) throws SQLException {
        return DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
    }

    static Connection engine(PostgresConfig config) throws SQLException {
        return DriverManager.getConnection(
                config.url(), config.roles().engine(), Passwords.of(config).engine());
    }

    static Connection api(PostgresConfig config) throws SQLException {
        return DriverManager.getConnection(
                config.url(), config.roles().api(), Passwords.of(config).api());
    }
}
