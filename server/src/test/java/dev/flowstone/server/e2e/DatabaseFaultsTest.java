package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.torture.company.SmallDisk;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * cases.md 25, and what else becomes of databases: under a load it is stopped at once, ends its sessions, has no connection or
 * no room left. The node waits, says that it isn't ready, goes on by itself, and has lost nothing.
 */
final class DatabaseFaultsTest {
    private static final int CONNECTIONS = 40;

    /** What fits beside a database that has just been made, and its log. */
    private static final String DISK = "size=256m";

    private static final List<String> WRITTEN = List.of("runs", "entries", "inbox", "epochs", "nodes", "heartbeats");
    private static final String NO_ROOM = """
            CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
            END $$
            """;
    private static final String SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'flowstone'";
    private static final String END =
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'flowstone'";

    private static final String WORKFLOW = """
            {"id": "load", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.delay", "parameters": {"durationMs": 300}, "edges": [{"targetNode": "c"}]},
              {"id": "c", "actionType": "core.echo"}]}""";

    @TempDir
    Path folder = Path.of("");

    /** The last first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private EmbeddedPostgres server;
    private House house;
    private SteadyLoad load;

    /** Only {@link #open} fills the fields, first of all. */
    @SuppressWarnings("NullAway.Init")
    DatabaseFaultsTest() {}

    private void open(Path data) throws Exception {
        server = EmbeddedPostgres.start(
                new EmbeddedConfig(data, Optional.empty(), 64, 256, CONNECTIONS, Duration.ofMinutes(2)));
        opened.push(server);
        PostgresConfig config = server.config();
        house = House.open(
                folder.resolve("node"),
                Map.of(
                        "database.url", config.url(),
                        "database.user", config.admin().user(),
                        "database.password", config.admin().password(),
                        "database.shards", "2"),
                BuiltInActions.registry());
        opened.push(house);
        house.publish(WORKFLOW);
        load = SteadyLoad.on(house, "load");
        opened.push(load);
    }

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private void untilReady() throws Exception {
        until("it is ready again", () -> house.health().status() == 200);
    }

    private void untilNotReady() throws Exception {
        until("it says that it isn't ready", () -> house.health().status() == 503);
    }

    private void untilMoreIsAcknowledged() throws Exception {
        int before = load.acknowledged();
        until("more is acknowledged", () -> load.acknowledged() > before + 30);
    }

    private Connection superuser() throws SQLException {
        return DriverManager.getConnection(
                server.jdbcUrl(), server.admin().user(), server.admin().password());
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** SIGQUIT is {@code pg_ctl stop -m immediate}: no session ends its statement, and the log is replayed at the start. */
    @Test
    void aServerThatIsStoppedInTheMiddleOfCommitsLosesNothing() throws Exception {
        open(folder.resolve("data"));
        for (int round = 0; round < 4; round++) {
            untilMoreIsAcknowledged();
            long process = server.processId();
            assertEquals(0, run("kill", "-QUIT", Long.toString(process)));
            // One that is back before anybody has asked it for anything was never missed.
            until(
                    "it says that it isn't ready, or there is another process",
                    () -> house.health().status() == 503 || server.processId() != process);
            until("there is another process", () -> server.processId() != process);
            untilReady();
        }
        untilMoreIsAcknowledged();
        load.nothingIsLost();
    }

    @Test
    void sessionsThatAreEndedAreReplaced() throws Exception {
        open(folder.resolve("data"));
        try (Connection superuser = superuser()) {
            for (int round = 0; round < 10; round++) {
                untilMoreIsAcknowledged();
                assertTrue(number(superuser, END) > 0);
            }
        }
        untilMoreIsAcknowledged();
        untilReady();
        load.nothingIsLost();
    }

    @Test
    void aServerWithoutAFreeConnectionIsWaitedFor() throws Exception {
        open(folder.resolve("data"));
        untilMoreIsAcknowledged();
        List<Connection> rig = new ArrayList<>();
        try {
            rig.add(superuser());
            until("the rig has all", () -> {
                takeWhatIsFree(rig);
                return number(rig.getFirst(), SESSIONS) == 0 || number(rig.getFirst(), END) == 0;
            });
            untilNotReady();
            until("it says what is away", () -> house.health().text().contains("\"database\":\"down\""));
            assertTrue(house.health().text().contains("\"actions\":\"ok\""), "and what isn't");
        } finally {
            for (Connection taken : rig) {
                taken.close();
            }
        }
        untilReady();
        untilMoreIsAcknowledged();
        load.nothingIsLost();
    }

    private void takeWhatIsFree(List<Connection> rig) throws SQLException {
        while (true) {
            try {
                rig.add(superuser());
            } catch (SQLException e) {
                assertEquals("53300", e.getSQLState(), e::toString);
                return;
            }
        }
    }

    /** Of the data and the log: the server may end sessions, or die and not come up before there is room. */
    @Test
    void aFullDiskIsWaitedFor() throws Exception {
        if (SmallDisk.isPossible()) {
            fillADisk();
        } else { // where nothing may be mounted: what a server without room answers
            refuseToWrite();
        }
        untilMoreIsAcknowledged();
        load.nothingIsLost();
    }

    private void fillADisk() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assertEquals(0, run("mount", "-t", "tmpfs", "-o", DISK, "tmpfs", disk.toString()));
        opened.push(() -> assertEquals(0, run("umount", "-l", disk.toString())));
        open(disk.resolve("data"));
        Path ballast = disk.resolve("ballast");
        for (int round = 0; round < 2; round++) {
            untilMoreIsAcknowledged();
            fill(ballast);
            untilNotReady();
            Files.delete(ballast);
            untilReady();
        }
    }

    @Test
    void aServerThatRefusesToWriteForLackOfRoomIsWaitedFor() throws Exception {
        refuseToWrite();
        untilMoreIsAcknowledged();
        load.nothingIsLost();
    }

    private void refuseToWrite() throws Exception {
        open(folder.resolve("data"));
        for (int round = 0; round < 2; round++) {
            untilMoreIsAcknowledged();
            try (Connection superuser = superuser();
                    Statement statement = superuser.createStatement()) {
                statement.execute(NO_ROOM);
                for (String table : WRITTEN) {
                    statement.execute("CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON flowstone." + table
                            + " FOR EACH STATEMENT EXECUTE FUNCTION public.no_room()");
                }
                untilNotReady();
                for (String table : WRITTEN) { // one lock at a time: commits go on meanwhile
                    statement.execute("DROP TRIGGER no_room ON flowstone." + table);
                }
                statement.execute("DROP FUNCTION public.no_room()");
            }
            untilReady();
        }
    }

    /** To the last byte. */
    private static void fill(Path ballast) throws IOException {
        try (OutputStream out = Files.newOutputStream(ballast)) {
            for (byte[] piece = new byte[1 << 16]; piece.length > 0; ) {
                try {
                    out.write(piece);
                } catch (IOException e) {
                    piece = new byte[piece.length / 2];
                }
            }
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
