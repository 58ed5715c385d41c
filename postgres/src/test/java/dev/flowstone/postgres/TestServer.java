package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.testkit.junit.LeftServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.flywaydb.core.Flyway;

/**
 * One server for the whole JVM, stopped when it ends, and migrated databases copied from a template. It is the embedded one,
 * unless {@code flowstone.test.postgres} names the folder of one that is installed; {@code flowstone.test.pooled} puts a PgBouncer
 * before it.
 */
public final class TestServer {
    private static final String TEMPLATE = "flowstone_template";
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final String INSTALLED = System.getProperty("flowstone.test.postgres", "");
    private static final boolean POOLED = Boolean.getBoolean("flowstone.test.pooled");

    /** Of the server for each role of each database, where they are pooled: fewer than the clients. */
    private static final int SESSIONS = 2;

    /** For the pools of all tests that go on at once. */
    private static final int CONNECTIONS = 150;

    private final PostgresConfig server;

    /** The same by the way that tests take. */
    private final PostgresConfig entrance;

    /** Databases with the schema of an earlier release and nothing in them, by its number. */
    private final NavigableMap<Integer, String> earlier = new TreeMap<>();

    private TestServer(PostgresConfig server, PostgresConfig entrance) {
        this.server = server;
        this.entrance = entrance;
    }

    private static final class Shared {
        static final TestServer SERVER = start();

        private static TestServer start() {
            try {
                Path directory = TestFiles.directory("flowstone-test-");
                PostgresConfig server = INSTALLED.isEmpty() ? embedded(directory) : installed(directory);
                TestServer shared = new TestServer(server, POOLED ? pooled(server) : server);
                shared.execute("CREATE DATABASE " + TEMPLATE);
                PostgresPorts.open(server.withDatabase(TEMPLATE)).close();
                return shared;
            } catch (Exception e) {
                throw new IllegalStateException("no server to test against", e);
            }
        }

        private static PostgresConfig embedded(Path directory) throws Exception {
            EmbeddedPostgres server = EmbeddedPostgres.start(
                    new EmbeddedConfig(directory, Optional.empty(), 64, 2_048, CONNECTIONS, Duration.ofMinutes(5)));
            endsWithTheJvm(directory, server::processId);
            return server.config();
        }

        private static PostgresConfig installed(Path directory) throws Exception {
            InstalledServer server = InstalledServer.start(Path.of(INSTALLED), directory);
            endsWithTheJvm(directory, server::processId);
            return server.config();
        }

        /** Not closed: a shutdown checkpoint would flush hundreds of databases that nobody wants any more. */
        private static void endsWithTheJvm(Path directory, LongSupplier process) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    LeftServers.atOnce(process.getAsLong());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                TestFiles.delete(directory);
            }));
        }

        private static PostgresConfig pooled(PostgresConfig server) throws Exception {
            PgBouncer proxy = PgBouncer.before(server, SESSIONS, PgBouncer.Sessions.WIPED);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    proxy.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
            return proxy.config();
        }
    }

    public static TestServer shared() {
        assumeTrue(INSTALLED.isEmpty() || InstalledServer.isAt(Path.of(INSTALLED)), InstalledServer.MISSING);
        assumeTrue(!POOLED || PgBouncer.program().isPresent(), PgBouncer.MISSING);
        return Shared.SERVER;
    }

    /** A fresh database with this release's schema, of two shards. */
    PostgresConfig database() throws SQLException {
        return copyOf(TEMPLATE);
    }

    /** A fresh database with the schema of an earlier release, and nothing in it. */
    public PostgresConfig database(int version) throws SQLException {
        return copyOf(earlier(version));
    }

    private PostgresConfig copyOf(String template) throws SQLException {
        String name = "test_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name + " TEMPLATE " + template);
        return entrance.withDatabase(name).withConnections(4, 4);
    }

    /** Goes on from the last release before it that somebody asked for. One at a time: the first migration sets what the server's roles have in common. */
    private synchronized String earlier(int version) throws SQLException {
        Map.Entry<Integer, String> before = earlier.floorEntry(version);
        if (before != null && before.getKey() == version) {
            return before.getValue();
        }
        String template = TEMPLATE + "_" + version;
        execute("CREATE DATABASE " + template + (before == null ? "" : " TEMPLATE " + before.getValue()));
        migrate(server.withDatabase(template), version);
        earlier.put(version, template);
        return template;
    }

    /** A fresh database with nothing in it. */
    public PostgresConfig emptyDatabase() throws SQLException {
        String name = "empty_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return entrance.withDatabase(name).withConnections(4, 4);
    }

    /** Brings a database to the schema of a later release, and no further. */
    private static void migrate(PostgresConfig database, int version) {
        Flyway.configure()
                .dataSource(
                        database.url(),
                        database.admin().user(),
                        database.admin().password())
                .locations("classpath:dev/flowstone/postgres/schema")
                .schemas("flowstone")
                .createSchemas(true)
                .placeholders(Map.of(
                        "owner", database.roles().owner(),
                        "engine", database.roles().engine(),
                        "api", database.roles().api()))
                .target(Integer.toString(version))
                .load()
                .migrate();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = admin(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Where a database's server listens. */
    static int port(PostgresConfig config) {
        return URI.create(config.url().substring("jdbc:".length())).getPort();
    }

    /** The same database by way of another port. */
    static PostgresConfig at(PostgresConfig config, int port) {
        return config.withUrl(config.url().replaceFirst(":" + port(config) + "/", ":" + port + "/"));
    }

    /** Its name at its server. */
    static String name(PostgresConfig config) {
        return config.url().substring(config.url().lastIndexOf('/') + 1);
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
