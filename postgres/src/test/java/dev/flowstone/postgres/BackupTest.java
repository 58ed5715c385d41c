package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * As docs/backup.md says, by the commands that stand there: a dump at an empty server, and a base backup with archived WAL, are
 * whole, go on, and are known to be old by numbers that only grow.
 */
final class BackupTest {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15");
    private static final long SEGMENT = 16L << 20;
    private static final String NEWEST =
            "SELECT coalesce(sum(newest), 0) FROM (SELECT max(number) AS newest FROM flowstone.feed GROUP BY stream) AS f";

    private final OpenedPorts databases = new OpenedPorts();
    private Path directory;
    private Path archive;
    private InstalledServer server;
    private final List<InstalledServer> servers = new ArrayList<>();

    /** Only {@link #start} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    BackupTest() {}

    @BeforeEach
    void start() throws Exception {
        assumeTrue(InstalledServer.isAt(PROGRAMS), InstalledServer.MISSING);
        directory = TestFiles.directory("flowstone-backup-");
        archive = Files.createDirectories(directory.resolve("archive"));
        for (Path open : List.of(directory, archive)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        server = server("first", "archive_mode=on", "archive_command=cp %p " + archive + "/%f");
    }

    @AfterEach
    void stop() {
        databases.close();
        servers.forEach(InstalledServer::close);
        if (directory != null) {
            TestFiles.delete(directory);
        }
    }

    private InstalledServer server(String name, String... settings) throws Exception {
        InstalledServer started =
                InstalledServer.start(PROGRAMS, Files.createDirectories(directory.resolve(name)), settings);
        servers.add(started);
        return started;
    }

    /** The commands of docs/backup.md that have this one among them. */
    private static String documented(String command) throws Exception {
        return Pattern.compile("(?m)^ *```sh\\n(.*?)^ *```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/backup.md")))
                .results()
                .map(block -> block.group(1).stripTrailing().stripIndent())
                .filter(block -> block.contains(command))
                .findFirst()
                .orElseThrow();
    }

    private static String rolesAndDatabase() throws Exception {
        return documented("pg_restore").replaceFirst("(?m)^pg_restore.*", "");
    }

    private static PostgresConfig flowstone(InstalledServer at) {
        return PostgresConfig.of(at.config().url(), new Login("flowstone", "CHANGE-ME"))
                .withDatabase("flowstone");
    }

    @Test
    void aDumpThatIsRestoredAtAnEmptyServerIsWholeAndGoesOnAndItsNumbersTellThatItIsOld() throws Exception {
        server.shell(rolesAndDatabase());
        PostgresConfig config = flowstone(server);
        PostgresPorts kept = databases.open(config);
        List<RunKey> before = runs(kept, 20);
        long noted = newest(config);
        server.shell("pg_dump --format=custom --file=flowstone.dump flowstone");
        runs(kept, 5);

        InstalledServer empty = server("second");
        Files.copy(directory.resolve("first/flowstone.dump"), directory.resolve("second/flowstone.dump"));
        empty.shell(documented("pg_restore"));

        PostgresConfig restored = flowstone(empty);
        assertTrue(newest(restored) < newest(config), "the backup is older than what it was made of");
        isWholeAndGoesOn(restored, before, noted);
        assertEquals(roles(config), roles(restored), "limits, memberships and rights");
    }

    @Test
    void aDumpThatIsRestoredWithoutTheRolesIsRefused() throws Exception {
        server.shell(rolesAndDatabase());
        databases.open(flowstone(server)).close();
        server.shell("pg_dump --format=custom --file=flowstone.dump flowstone");
        InstalledServer empty = server("second");
        empty.shell("createdb flowstone; pg_restore --dbname=flowstone ../first/flowstone.dump || true");

        PostgresOpenException refused = assertThrows(
                PostgresOpenException.class,
                () -> PostgresPorts.open(empty.config().withDatabase("flowstone")));

        assertEquals(PostgresOpenException.Reason.MIGRATION_FAILED, refused.reason());
        assertTrue(String.valueOf(refused.getMessage()).contains("docs/backup.md"), refused::getMessage);
    }

    @Test
    void aBaseBackupGoesOnFromAMomentOfThePast() throws Exception {
        server.shell(rolesAndDatabase());
        PostgresConfig config = flowstone(server);
        PostgresPorts kept = databases.open(config);
        runs(kept, 10);
        server.shell("pg_basebackup --pgdata=copy/data --checkpoint=fast");
        List<RunKey> before = runs(kept, 10);
        long noted = newest(config);
        server.shell("psql --dbname=postgres --command=\"SELECT pg_create_restore_point('noted')\"");
        runs(kept, 5);
        Path segment = archive.resolve(
                read(server.config(), "SELECT pg_walfile_name(pg_switch_wal())").getFirst());
        until("it is archived", () -> Files.exists(segment) && Files.size(segment) == SEGMENT);
        server.shell("touch copy/data/recovery.signal");

        InstalledServer past = server(
                "first/copy",
                "restore_command=cp " + archive + "/%f %p",
                "recovery_target_name=noted",
                "recovery_target_action=promote");

        PostgresConfig restored = flowstone(past);
        until(
                "it takes writes",
                () -> read(past.config(), "SELECT pg_is_in_recovery()").equals(List.of("f")));
        isWholeAndGoesOn(restored, before, noted);
    }

    private void isWholeAndGoesOn(PostgresConfig restored, List<RunKey> before, long noted) throws Exception {
        PostgresPorts again = databases.open(restored);
        ChainReport report = new ChainVerifier(again.entrySource()).all();
        assertTrue(report.whole(), report::toString);
        assertEquals(20, report.runs());
        assertEquals(noted, newest(restored));
        assertEquals(5, runs(again, 5).size());
        goesOn(again, before.getFirst());
    }

    private static List<String> roles(PostgresConfig config) throws Exception {
        return read(config, """
                SELECT concat_ws(' ', r.rolname, r.rolsuper, r.rolbypassrls, r.rolcanlogin,
                    ARRAY(SELECT unnest(r.rolconfig) ORDER BY 1),
                    ARRAY(SELECT m.roleid::regrole::text FROM pg_auth_members m WHERE m.member = r.oid ORDER BY 1))
                FROM pg_roles r WHERE r.rolname LIKE 'flowstone%' AND r.rolname <> 'flowstone_admin' ORDER BY 1
                """);
    }

    private static List<String> read(PostgresConfig config, String query) throws Exception {
        List<String> lines = new ArrayList<>();
        try (Connection connection = TestServer.admin(config);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return lines;
    }

    private static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** As the superuser, whom row-level security doesn't hold. */
    private long newest(PostgresConfig config) throws Exception {
        InstalledServer at = servers.stream()
                .filter(one -> TestServer.port(one.config()) == TestServer.port(config))
                .findFirst()
                .orElseThrow();
        try (Connection connection = TestServer.admin(at.config().withDatabase("flowstone"))) {
            return PostgresTest.number(connection, NEWEST);
        }
    }

    /** So many that have ended. */
    private static List<RunKey> runs(PostgresPorts ports, int count) throws Exception {
        Published workflow = Published.in(
                ports.ports().workflows(), Moves.ACME, ProgramBuilder.sequence("three", 3, "core.echo"), Instant.now());
        SteppedEngine engine = new SteppedEngine(ports.ports(), "one", BuiltInActions.registry(), Runnable::run);
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(engine.node.start(workflow.start()));
        }
        engine.until(() -> answers.stream().allMatch(CompletableFuture::isDone));
        engine.settle();
        List<RunKey> keys = new ArrayList<>();
        for (CompletableFuture<StartAnswer> answer : answers) {
            if (answer.join() instanceof StartAnswer.Started started) {
                keys.add(new RunKey(Moves.ACME, started.run()));
            }
        }
        return keys;
    }

    private static void goesOn(PostgresPorts ports, RunKey key) throws JournalException {
        Map<RunKey, ?> found = ports.ports().journal().load(shard(key), List.of(key));
        assertEquals(1, found.size());
        Lease lease = ports.ports()
                .leases()
                .acquire(shard(key), "one", Duration.ofMinutes(1))
                .orElseThrow();
        assertTrue(lease.epoch() > 0);
    }

    private static ShardId shard(RunKey key) {
        return new ShardId(key.run().slot().number() < 2048 ? 0 : 1);
    }
}
