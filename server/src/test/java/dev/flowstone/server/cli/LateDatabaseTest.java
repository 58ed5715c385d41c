package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.torture.net.FaultProxy;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.cli.Cli.Running;
import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that starts before its database. */
@Execution(ExecutionMode.CONCURRENT) // each waits most of its time, for a database of its own
final class LateDatabaseTest {
    /** Of what takes no time at all; who waits for the database in spite of it does so until it is killed. */
    private static final long SOON = TimeUnit.SECONDS.toNanos(60);

    /** Each of those who ask the database in vain may take five seconds: two of them one after the other, and what closing takes, are less. */
    private static final long ONCE = TimeUnit.SECONDS.toNanos(14);

    private static final AtomicInteger DATABASES = new AtomicInteger();

    @TempDir
    private static Path folder = Path.of("");

    private static EmbeddedPostgres server;

    /** With connections for all nodes at once, and with the roles that databases share. */
    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.start(
                new EmbeddedConfig(folder.resolve("data"), Optional.empty(), 128, 256, 200, Duration.ofMinutes(2)));
        PostgresPorts.open(server.config()).close();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static PostgresConfig database() throws SQLException {
        String name = "late_" + DATABASES.incrementAndGet();
        try (Connection admin = admin(server.config());
                Statement statement = admin.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return server.config().withDatabase(name);
    }

    private static Connection admin(PostgresConfig config) throws SQLException {
        return DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
    }

    private static FaultProxy proxy() throws IOException {
        return FaultProxy.to(server.port());
    }

    private static Running serve(PostgresConfig config, FaultProxy proxy) throws IOException {
        return serve(0, by(proxy, config), config.admin().user(), config.admin().password());
    }

    private static String by(FaultProxy proxy, PostgresConfig config) {
        return config.url().replaceFirst(":\\d+/", ":" + proxy.port() + "/");
    }

    private static Running serve(int http, String url, String user, String password, String... more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "serve",
                "--port",
                Integer.toString(http),
                "--db",
                url,
                "--set",
                "database.user=" + user,
                "--set",
                "database.password=" + password));
        command.addAll(List.of(more));
        return Running.start(command.toArray(String[]::new));
    }

    /** 0 as long as nobody listens. */
    private static int status(int http, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + path))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private static void until(int status, int http, String path) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (status(http, path) != status) {
            assertTrue(System.nanoTime() < end, () -> path + " is never " + status);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    void aDatabaseThatComesUpLaterIsWaitedFor() throws Exception {
        PostgresConfig config = database();
        int http = FreePort.next();
        try (FaultProxy proxy = proxy()) {
            proxy.refuse();
            try (Running node = serve(
                    http,
                    by(proxy, config),
                    config.admin().user(),
                    config.admin().password())) {
                until(503, http, "/health/ready");
                assertEquals(200, status(http, "/health/live"), "to start it anew would help nothing");
                assertEquals(503, status(http, "/api/v1/workflows"));

                proxy.clear();

                assertTrue(node.lineWith("ready").contains(Integer.toString(http)));
                until(200, http, "/health/ready");
                node.terminate();
                Said said = node.end();
                assertEquals(0, said.exit(), said::toString);
                assertTrue(said.err().contains("waiting for the database"), said::toString);
            }
        }
    }

    /** A node that has opened the database, and can't be ready for want of a shard. */
    private static void untilItAsksForShards(Connection admin) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count(
                        admin,
                        "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%UPDATE flowstone.heartbeats%'")
                == 0) {
            assertTrue(System.nanoTime() < end, "it never asks for a shard");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static long count(Connection admin, String from) throws SQLException {
        try (Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void shardsAre(Connection admin, String heldBy, String until) throws SQLException {
        try (Statement statement = admin.createStatement()) {
            statement.executeUpdate("UPDATE flowstone.heartbeats SET holder = '" + heldBy + "', until = " + until);
        }
    }

    /** A database whose shards somebody else has, so that a node waits for them when it goes away. */
    private static void goesAwayBeforeItIsReady(FaultProxy proxy, Running node, Connection admin) throws Exception {
        untilItAsksForShards(admin);
        proxy.refuse();
        proxy.resetAll();
        node.errWith("waiting for the database: it does not answer any more");
    }

    @Test
    void oneThatGoesAwayBeforeItIsReadyIsWaitedForToo() throws Exception {
        PostgresConfig config = database();
        PostgresPorts.open(config).close();
        try (FaultProxy proxy = proxy();
                Connection admin = admin(config)) {
            shardsAre(admin, "somebody", "now() + interval '1 hour'");
            try (Running node = serve(config, proxy)) {
                goesAwayBeforeItIsReady(proxy, node, admin);

                proxy.clear();
                shardsAre(admin, "", "'-infinity'");

                node.lineWith("Flowstone is ready");
                node.terminate();
                assertEquals(0, node.end().exit());
            }
        }
    }

    @Test
    void whoWaitsForOneThatWentAwayBeforeItWasReadyEndsWhenItIsToldTo() throws Exception {
        PostgresConfig config = database();
        PostgresPorts.open(config).close();
        try (FaultProxy proxy = proxy();
                Connection admin = admin(config)) {
            shardsAre(admin, "somebody", "now() + interval '1 hour'");
            try (Running node = serve(config, proxy)) {
                goesAwayBeforeItIsReady(proxy, node, admin);
                long asked = System.nanoTime();

                node.terminate();

                Said said = node.end();
                assertEquals(0, said.exit(), said::toString);
                assertTrue(System.nanoTime() - asked < SOON, "it ends soon");
            }
        }
    }

    /** How a server that has shards lost its database. */
    enum Loss {
        JUST_NOW,
        KNOWN,
        /** What is asked is never answered. */
        WITHOUT_A_WORD;

        void happen(FaultProxy proxy, Running node) throws Exception {
            if (this == WITHOUT_A_WORD) {
                proxy.standStill();
            } else {
                proxy.refuse();
                proxy.resetAll();
            }
            if (this != JUST_NOW) {
                node.errWith("can't be reached");
            }
        }
    }

    /** Whenever it is told to, it waits once, and not once for each who asks: for events, the last commits, leases, pools. */
    @ParameterizedTest
    @EnumSource
    void oneThatGoesAwayWhileItServesDoesNotHoldAStopUp(Loss loss) throws Exception {
        PostgresConfig config = database();
        try (FaultProxy proxy = proxy();
                Running node = serve(config, proxy)) {
            node.lineWith("Flowstone is ready");
            loss.happen(proxy, node);
            long asked = System.nanoTime();

            node.terminate();

            Said said = node.end();
            assertEquals(0, said.exit(), said::toString);
            assertTrue(System.nanoTime() - asked < ONCE, () -> "it ends soon: " + said);
        }
    }

    @Test
    void whoIsToldToEndGivesItsShardsBack() throws Exception {
        PostgresConfig config = database();
        try (FaultProxy proxy = proxy();
                Connection admin = admin(config);
                Running node = serve(config, proxy)) {
            node.lineWith("Flowstone is ready");
            assertTrue(count(admin, "flowstone.heartbeats WHERE until > now()") > 0, "it has shards");

            node.terminate();

            assertEquals(0, node.end().exit());
            assertEquals(0, count(admin, "flowstone.heartbeats WHERE holder <> ''"), "and gives them back");
        }
    }

    @Test
    void whoWaitsEndsWhenItIsToldTo() throws Exception {
        int http = FreePort.next();
        try (Running node =
                serve(http, "jdbc:postgresql://127.0.0.1:" + FreePort.next() + "/flowstone", "flowstone", "any")) {
            until(503, http, "/health/ready");
            long asked = System.nanoTime();
            node.terminate();
            Said said = node.end();

            assertEquals(0, said.exit(), said::toString);
            assertTrue(System.nanoTime() - asked < SOON, "it ends soon");
            assertFalse(said.err().contains("a fault of ours"), said::toString);
        }
    }

    /** Waiting would not make them right. */
    @Test
    void aRefusedLoginAndAMissingDatabaseAreToldAtOnce() throws Exception {
        PostgresConfig config = database();
        String user = config.admin().user();
        try (Running wrong = serve(0, config.url(), user, "wrong")) {
            Said said = wrong.end();
            assertEquals(3, said.exit(), said::toString);
            assertTrue(said.err().contains("refuses the user"), said::toString);
        }
        try (Running missing = serve(
                0, config.withDatabase("missing").url(), user, config.admin().password())) {
            Said said = missing.end();
            assertEquals(3, said.exit(), said::toString);
            assertTrue(said.err().contains("missing"), said::toString);
        }
    }
}
