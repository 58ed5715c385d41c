package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.PostgresOpenException.Reason;
import dev.flowstone.postgres.schema.RoleNames;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Opening databases that are new, kept, somebody else's or not good enough. */
final class OpeningTest {
    private final OpenedPorts databases = new OpenedPorts();

    @AfterEach
    void close() {
        databases.close();
    }

    private static Reason refused(PostgresConfig config) {
        return assertThrows(
                        PostgresOpenException.class,
                        () -> PostgresPorts.open(config).close())
                .reason();
    }

    @Test
    void aKeptDatabaseIsOpenedAgainWithItsOwnShards() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();
        databases.open(config.withShards(3)).close();

        assertEquals(
                3,
                databases.open(config.withShards(7)).ports().leases().shards().size());
    }

    @Test
    void nodesThatStartAtOnceDoNotDisturbEachOther() throws Exception {
        openAtOnce(TestServer.shared().emptyDatabase());
    }

    /** Nodes are replaced one by one, and a release is taken back without its schema. */
    @Test
    void aNewerReleasesSchemaIsLeftAsItIsWhereItSaysThatOlderOnesWorkWithIt() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();
        databases.open(config).close();
        execute(
                config,
                "INSERT INTO flowstone.flyway_schema_history (installed_rank, version, description, type, script,"
                        + " checksum, installed_by, execution_time, success) VALUES (900, '900', 'later', 'SQL',"
                        + " 'V900__later.sql', 1, 'somebody', 1, true)");

        databases.open(config).close();

        execute(config, "UPDATE flowstone.compatibility SET least = 899");
        PostgresOpenException told = assertThrows(PostgresOpenException.class, () -> PostgresPorts.open(config));
        assertEquals(Reason.MIGRATION_FAILED, told.reason());
        assertTrue(
                String.valueOf(told.getMessage())
                        .matches(".*V900.*know V899; this one knows V[0-9]+: start a newer one.*"),
                told::getMessage);
    }

    private static void execute(PostgresConfig config, String sql) throws SQLException {
        Login admin = config.admin();
        try (Connection connection = DriverManager.getConnection(config.url(), admin.user(), admin.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aUserThatIsNoSuperuserMayInstall() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();
        String database = TestServer.name(config);
        TestServer.shared().execute("CREATE ROLE installer LOGIN CREATEROLE PASSWORD 'pw'");
        TestServer.shared().execute("ALTER DATABASE " + database + " OWNER TO installer");
        PostgresConfig theirs = PostgresConfig.of(config.url(), new Login("installer", "pw"))
                .withRoles(RoleNames.withPrefix("theirs"))
                .withConnections(2, 2);

        PostgresPorts ports = databases.open(theirs);

        Lease lease = ports.ports()
                .leases()
                .acquire(new ShardId(0), "node", Duration.ofMinutes(1))
                .orElseThrow();
        assertEquals(
                1,
                ports.ports()
                        .journal()
                        .commit(Moves.commit(lease, Moves.plain(Moves.run(lease), 0)))
                        .moved()
                        .size());
    }

    @Test
    void refusesADatabaseThatWouldLoseAcknowledgedWork() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase().withRoles(RoleNames.withPrefix("careless"));
        databases.open(config).close();
        TestServer.shared().execute("ALTER ROLE careless_engine SET synchronous_commit = off");

        assertEquals(Reason.NOT_DURABLE, refused(config));
        TestServer.shared().execute("ALTER ROLE careless_engine RESET synchronous_commit");
        TestServer.shared().execute("ALTER ROLE careless_api SET synchronous_commit = off");
        assertEquals(Reason.NOT_DURABLE, refused(config));
    }

    @Test
    void refusesARoleThatRowLevelSecurityDoesNotHold() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase().withRoles(RoleNames.withPrefix("mighty"));
        databases.open(config).close();
        TestServer.shared().execute("ALTER ROLE mighty_engine BYPASSRLS");
        assertEquals(Reason.UNSAFE_ROLE, refused(config));
        TestServer.shared().execute("ALTER ROLE mighty_engine NOBYPASSRLS");
        TestServer.shared().execute("GRANT mighty_owner TO mighty_engine");
        assertEquals(Reason.UNSAFE_ROLE, refused(config));
        TestServer.shared().execute("REVOKE mighty_owner FROM mighty_engine");
        TestServer.shared().execute("ALTER ROLE mighty_api BYPASSRLS");
        assertEquals(Reason.UNSAFE_ROLE, refused(config));
    }

    @Test
    void saysWhyItCannotConnect() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();
        assertEquals(
                Reason.LOGIN_REFUSED,
                refused(PostgresConfig.of(config.url(), new Login(config.admin().user(), "wrong"))));
        assertEquals(
                Reason.UNREACHABLE,
                refused(PostgresConfig.of("jdbc:postgresql://127.0.0.1:1/nothing", config.admin())));
    }

    /** Who waits for a database must not wait for what a wrong setting will never make right. */
    @Test
    void tellsWhatTimeMayHealFromWhatItDoesNot() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();

        assertTrue(isAway(PostgresConfig.of("jdbc:postgresql://127.0.0.1:1/nothing", config.admin())));
        assertTrue(isAway(config.withUrl("jdbc:postgresql://127.0.0.1:1,127.0.0.1:2/d?targetServerType=primary")));
        assertFalse(
                isAway(PostgresConfig.of(config.url(), new Login(config.admin().user(), "wrong"))));
        assertFalse(isAway(config.withDatabase("missing")));
        databases.open(config.withRoles(RoleNames.withPrefix("timely"))).close();
        TestServer.shared().execute("ALTER ROLE timely_engine BYPASSRLS");
        assertFalse(isAway(config.withRoles(RoleNames.withPrefix("timely"))));
        TestServer.shared().execute("ALTER ROLE timely_engine NOBYPASSRLS");
        TestServer.shared().execute("ALTER ROLE timely_engine CONNECTION LIMIT 0");
        assertTrue(isAway(config.withRoles(RoleNames.withPrefix("timely"))));
        TestServer.shared().execute("ALTER ROLE timely_engine CONNECTION LIMIT -1");
    }

    private static boolean isAway(PostgresConfig config) {
        return assertThrows(
                        PostgresOpenException.class,
                        () -> PostgresPorts.open(config).close())
                .isAway();
    }

    @Test
    void nodesThatStartAtOnceMakeTheRolesTogether() throws Exception {
        PostgresConfig config = TestServer.shared()
                .emptyDatabase()
                .withRoles(RoleNames.withPrefix("together"))
                .withConnections(1, 1);
        openAtOnce(config);
        for (int round = 0; round < 5; round++) {
            TestServer.shared().execute("ALTER ROLE together_engine RESET ALL");
            TestServer.shared().execute("ALTER ROLE together_engine NOLOGIN PASSWORD NULL");
            TestServer.shared().execute("ALTER ROLE together_api RESET ALL");
            TestServer.shared().execute("REVOKE pg_read_all_stats FROM together_owner");
            openAtOnce(config);
        }
    }

    private static void openAtOnce(PostgresConfig config) throws Exception {
        List<Callable<Integer>> nodes = Collections.nCopies(4, () -> {
            try (PostgresPorts node = PostgresPorts.open(config)) {
                return node.ports().leases().shards().size();
            }
        });
        try (ExecutorService threads = Executors.newFixedThreadPool(nodes.size())) {
            for (Future<Integer> node : threads.invokeAll(nodes)) {
                assertEquals(2, node.get());
            }
        }
    }

    /** As a dump that was restored at another server has them, in which the migrations are done: names, and nothing else. */
    @Test
    void rolesThatLackWhatTheMigrationsGaveThemGetItAgain() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase().withRoles(RoleNames.withPrefix("bare"));
        databases.open(config).close();
        String settings = """
                SELECT count(*) FROM pg_roles, unnest(rolconfig) AS line WHERE rolname IN ('bare_engine', 'bare_api')
                """;
        String statistics =
                "SELECT count(*) FROM pg_roles WHERE rolname = 'bare_owner' AND pg_has_role(oid, 'pg_read_all_stats', 'USAGE')";
        TestServer.shared().execute("ALTER ROLE bare_engine RESET ALL");
        TestServer.shared().execute("ALTER ROLE bare_engine SET lock_timeout = '7s'");
        TestServer.shared().execute("ALTER ROLE bare_api RESET ALL");
        TestServer.shared().execute("ALTER ROLE bare_api NOLOGIN PASSWORD NULL");
        TestServer.shared().execute("REVOKE pg_read_all_stats FROM bare_owner");

        databases.open(config).close();

        try (Connection admin = TestServer.admin(config)) {
            assertEquals(10, PostgresTest.number(admin, settings));
            assertEquals(1, PostgresTest.number(admin, statistics));
            assertEquals(
                    1,
                    PostgresTest.number(
                            admin,
                            "SELECT count(*) FROM pg_roles WHERE rolname = 'bare_engine' AND 'lock_timeout=7s' = ANY (rolconfig)"),
                    "what somebody has set otherwise stays");
        }
    }

    @Test
    void whoMayNotMakeTheRolesIsToldSo() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase().withRoles(RoleNames.withPrefix("nobodys"));
        databases.open(config).close();
        TestServer.shared().execute("ALTER ROLE nobodys_engine RESET ALL");
        TestServer.shared().execute("CREATE ROLE powerless LOGIN PASSWORD 'pw' IN ROLE pg_read_all_data");

        PostgresOpenException refused = assertThrows(
                PostgresOpenException.class,
                () -> PostgresPorts.open(PostgresConfig.of(config.url(), new Login("powerless", "pw"))
                        .withRoles(RoleNames.withPrefix("nobodys"))));

        assertEquals(Reason.MIGRATION_FAILED, refused.reason());
        assertTrue(String.valueOf(refused.getMessage()).contains("CREATEROLE"), refused::getMessage);
    }

    @Test
    void derivesNoPasswordsFromNothing() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();
        PostgresConfig open = PostgresConfig.of(config.url(), new Login("anybody", ""));

        PostgresOpenException refused = assertThrows(PostgresOpenException.class, () -> PostgresPorts.open(open));

        assertEquals(Reason.LOGIN_REFUSED, refused.reason());
        assertTrue(String.valueOf(refused.getMessage()).contains("database.password"), refused.getMessage());
    }

    @Test
    void passwordsThatWereHandedInAreTaken() throws Exception {
        PostgresConfig config = TestServer.shared()
                .emptyDatabase()
                .withRoles(RoleNames.withPrefix("handed"))
                .withPasswords("engine's own", "api's own");
        databases.open(config);

        try (Connection engine = DriverManager.getConnection(config.url(), "handed_engine", "engine's own")) {
            assertTrue(engine.isValid(5));
        }
        assertThrows(SQLException.class, () -> DriverManager.getConnection(config.url(), "handed_engine", "api's own"));
    }

    @Test
    void worksBehindAProxyThatForgetsPreparedStatements() throws Exception {
        PostgresPorts ports = databases.open(TestServer.shared().database().withoutPreparedStatements());
        Lease lease = ports.ports()
                .leases()
                .acquire(new ShardId(0), "node", Duration.ofMinutes(1))
                .orElseThrow();
        for (int i = 0; i < 10; i++) {
            ports.ports().journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease), 0)));
        }
        assertEquals(
                10,
                ports.ports()
                        .journal()
                        .awake(new ShardId(0), Optional.empty(), 100)
                        .size());
    }

    @Test
    void onePoolConnectionIsEnoughForEverything() throws Exception {
        PostgresPorts ports = databases.open(TestServer.shared().database().withConnections(1, 1));
        List<Callable<Integer>> loops = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            Lease lease = ports.ports()
                    .leases()
                    .acquire(new ShardId(shard), "node", Duration.ofMinutes(1))
                    .orElseThrow();
            loops.add(() -> {
                int moved = 0;
                for (int i = 0; i < 50; i++) {
                    var key = Moves.run(lease);
                    moved += ports.ports()
                            .journal()
                            .commit(Moves.commit(lease, Moves.full(key, 0)))
                            .moved()
                            .size();
                    assertTrue(ports.ports()
                            .leases()
                            .renew(lease, Duration.ofMinutes(1))
                            .isPresent());
                    assertTrue(ports.ports().runs().run(key.tenant(), key.run()).isPresent());
                    ports.ports().outbox().due(lease, ports.ports().clock().now(), 10);
                }
                return moved;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (Future<Integer> loop : threads.invokeAll(loops)) {
                assertEquals(50, loop.get());
            }
        }
    }

    /** The first of them isn't there. */
    @Test
    void ofSeveralHostsThePrimaryIsTaken() throws Exception {
        PostgresConfig config = TestServer.shared().emptyDatabase();
        String several = config.url().replace("//", "//127.0.0.1:1,");

        PostgresPorts ports = databases.open(config.withUrl(several + "?targetServerType=primary"));

        assertEquals(2, ports.ports().leases().shards().size());
    }

    @Test
    void severalHostsWithoutAWordOnWhichAreRefused() {
        for (String parameters : List.of("", "?ssl=true", "?targetServerType=any", "?targetServerType=primaryOrElse")) {
            String url = "jdbc:postgresql://a,b:5433/d" + parameters;
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class, () -> PostgresConfig.of(url, new Login("admin", "secret")));
            assertTrue(String.valueOf(refused.getMessage()).contains("targetServerType=primary"), refused::getMessage);
        }
        assertEquals(
                "jdbc:postgresql://a,b:5433/e?ssl=true&targetServerType=primary",
                PostgresConfig.of(
                                "jdbc:postgresql://a,b:5433/d?ssl=true&targetServerType=primary",
                                new Login("admin", "secret"))
                        .withDatabase("e")
                        .url());
    }

    @Test
    void configurationsPrintWithoutTheirSecrets() {
        PostgresConfig config =
                PostgresConfig.of("jdbc:postgresql://h/d?password=hush&ssl=true", new Login("admin", "secret"));
        assertFalse(config.toString().contains("hush"));
        assertFalse(config.toString().contains("secret"));
    }
}
