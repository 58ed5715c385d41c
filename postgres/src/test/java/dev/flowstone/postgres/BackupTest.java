package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As docs/operations.md says: a dump is whole, goes on, and is known to be old by numbers that only grow. */
final class BackupTest {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15");
    private static final String NEWEST =
            "SELECT coalesce(sum(newest), 0) FROM (SELECT max(number) AS newest FROM flowstone.feed GROUP BY stream) AS f";

    private final OpenedPorts databases = new OpenedPorts();
    private Path directory;
    private InstalledServer server;

    /** Only {@link #start} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    BackupTest() {}

    @BeforeEach
    void start() throws Exception {
        assumeTrue(InstalledServer.isAt(PROGRAMS), InstalledServer.MISSING);
        directory = TestFiles.directory("flowstone-backup-");
        server = InstalledServer.start(PROGRAMS, directory);
    }

    @AfterEach
    void stop() {
        databases.close();
        if (server != null) {
            TestProcesses.kill(server.processId());
            TestFiles.delete(directory);
        }
    }

    @Test
    void aRestoredDumpIsWholeAndGoesOnAndItsNumbersTellThatItIsOld() throws Exception {
        PostgresConfig config = make("kept");
        PostgresPorts kept = databases.open(config);
        List<RunKey> before = runs(kept, 20);
        long noted = newest(config);
        Path dump = directory.resolve("dump");
        tool("pg_dump", "--format=custom", "--file=" + dump, TestServer.name(config));
        runs(kept, 5);

        PostgresConfig restored = make("restored");
        tool("pg_restore", "--exit-on-error", "--dbname=" + TestServer.name(restored), dump.toString());

        PostgresPorts again = databases.open(restored);
        ChainReport report = new ChainVerifier(again.entrySource()).all();
        assertTrue(report.whole(), report::toString);
        assertEquals(before.size(), report.runs());
        assertEquals(noted, newest(restored));
        assertTrue(newest(restored) < newest(config), "the backup is older than what it was made of");
        assertEquals(5, runs(again, 5).size());
        goesOn(again, before.getFirst());
    }

    private PostgresConfig make(String name) throws Exception {
        try (Connection connection = TestServer.admin(server.config());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return server.config().withDatabase(name);
    }

    private static long newest(PostgresConfig config) throws Exception {
        try (Connection connection = TestServer.admin(config)) {
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

    private void tool(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                PROGRAMS.resolve("bin").resolve(name).toString(),
                "--host=127.0.0.1",
                "--port=" + TestServer.port(server.config()),
                "--username=" + server.config().admin().user()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("PGPASSWORD", server.config().admin().password());
        assertEquals(0, builder.start().waitFor(), name);
    }
}
