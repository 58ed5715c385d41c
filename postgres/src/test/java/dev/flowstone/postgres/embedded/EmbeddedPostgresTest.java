package dev.flowstone.postgres.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.TestFiles;
import dev.flowstone.postgres.TestProcesses;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.AlreadyRunning;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.StartFailed;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The fields are filled before each test. */
final class EmbeddedPostgresTest extends EmbeddedServers {
    private Connection connect(Holder holder) throws Exception {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + holder.answer().split(" ", -1)[2] + "/postgres",
                "flowstone_admin",
                Files.readString(directory.resolve("postgres.password")).strip());
    }

    private static long ask(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void isDurableLocalAndKeepsWhatItWasTold() throws Exception {
        try (EmbeddedPostgres server = start()) {
            for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
                assertEquals("on", ask(server, "SHOW " + setting), setting);
            }
            assertEquals("127.0.0.1", ask(server, "SHOW listen_addresses"));
            assertEquals("", ask(server, "SHOW unix_socket_directories"));
            assertEquals("UTF8", ask(server, "SHOW server_encoding"));
            assertEquals("on", ask(server, "SHOW data_checksums"));
            tell(server, "CREATE TABLE kept AS SELECT 7 AS n");
        }
        try (EmbeddedPostgres server = start()) {
            assertFalse(server.adopted());
            assertEquals("7", ask(server, "SELECT n FROM kept"));
        }
    }

    @Test
    void theServerOfAKilledFlowstoneIsTakenOver() throws Exception {
        Holder holder = Holder.start(directory, cache);
        assertTrue(holder.answer().startsWith("ready"), holder.answer());
        assertThrows(AlreadyRunning.class, this::start);
        holder.kill();
        assertTrue(TestProcesses.isAlive(holder.serverProcess()), "the server outlives its Flowstone");

        try (EmbeddedPostgres server = start()) {
            assertTrue(server.adopted());
            assertEquals(holder.serverProcess(), server.processId());
            assertEquals("1", ask(server, "SELECT 1"));
        }
        assertFalse(TestProcesses.isAlive(holder.serverProcess()), "and is stopped by the one that took it over");
    }

    @Test
    void aSurvivorThatDoesNotAnswerIsReplaced() throws Exception {
        Holder holder = Holder.start(directory, cache);
        holder.kill();
        Files.writeString(directory.resolve("postgres.password"), "another\n");

        StartFailed failed = assertThrows(StartFailed.class, this::start);

        assertTrue(String.valueOf(failed.getMessage()).contains("does not answer"), failed.getMessage());
        assertFalse(TestProcesses.isAlive(holder.serverProcess()));
    }

    @Test
    void endsWithItsFlowstone() throws Exception {
        Holder holder = Holder.start(directory, cache);
        holder.end();
        assertFalse(TestProcesses.isAlive(holder.serverProcess()));
        assertFalse(Files.exists(directory.resolve("postgres/postmaster.pid")));
    }

    @Test
    void aServerThatIsKilledComesBackOnItsPortWithWhatWasCommitted() throws Exception {
        try (EmbeddedPostgres server = start()) {
            int port = server.port();
            long killed = server.processId();
            tell(server, "CREATE TABLE kept AS SELECT 7 AS n");
            TestProcesses.kill(killed);

            String kept = "";
            while (kept.isEmpty() || server.processId() == killed) {
                try {
                    kept = ask(server, "SELECT n FROM kept");
                } catch (SQLException e) {
                    Thread.onSpinWait(); // not back yet
                }
            }
            assertEquals("7", kept);
            assertEquals(port, server.port());
            assertNotEquals(killed, server.processId());
        }
        assertFalse(Files.exists(directory.resolve("postgres/postmaster.pid")));
    }

    @Test
    void aStartWaitsForWhatAKilledServerLeftRunning() throws Exception {
        Holder holder = Holder.start(directory, cache);
        try (Connection busy = connect(holder);
                Connection asking = connect(holder)) {
            long orphan = ask(busy, "SELECT pg_backend_pid()");
            CompletableFuture<Void> query = CompletableFuture.runAsync(() -> {
                try (Statement statement = busy.createStatement()) {
                    statement.execute("SET statement_timeout = '3s'");
                    statement.execute(
                            "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b");
                } catch (SQLException e) {
                    throw new CompletionException(e);
                }
            });
            while (ask(
                            asking,
                            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%series%' AND"
                                    + " pid = " + orphan)
                    == 0) {
                Thread.onSpinWait();
            }
            holder.kill();
            ProcessHandle.of(holder.serverProcess()).orElseThrow().destroyForcibly();

            try (EmbeddedPostgres server = start()) {
                assertEquals("1", ask(server, "SELECT 1"));
                assertFalse(TestProcesses.isAlive(orphan), "two servers would write one file");
            }
            assertThrows(CompletionException.class, query::join);
        }
    }

    /** Root runs this one as somebody else; anybody else has been doing so all the time. */
    @Test
    void anOrdinaryUserStartsItToo() throws Exception {
        if (!"root".equals(System.getProperty("user.name"))) {
            return;
        }
        StringBuilder classPath = new StringBuilder();
        Path classes = Files.createDirectory(folder.resolve("classes"));
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (element.contains("postgres")
                    || element.contains("compress")
                    || element.contains("commons")
                    || element.contains("xz")
                    || element.contains("kernel")
                    || element.contains("engine")
                    || element.contains("Hikari")
                    || element.contains("slf4j")
                    || element.contains("scram")) {
                Path copied = classes.resolve(Integer.toString(classPath.length()));
                copy(Path.of(element), copied);
                classPath.append(copied).append(File.pathSeparator);
            }
        }
        TestFiles.delete(directory);
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Trees.chown(folder, "nobody");
        Path theirCache = TestFiles.directory("flowstone-cache-");
        Trees.chown(theirCache, "nobody");

        Holder holder = Holder.behind(
                List.of("setpriv", "--reuid=nobody", "--clear-groups"),
                theirs.resolve("data"),
                theirCache,
                classPath.toString());

        assertTrue(holder.answer().startsWith("ready"), holder.answer());
        assertEquals("nobody", Files.getOwner(theirs.resolve("data/postgres")).getName());
        holder.end();
        TestFiles.delete(theirCache);
    }

    /** The way of containers that forbid user namespaces; elsewhere nobody else's cluster can be there. */
    @Test
    void rootServesAClusterOfAnotherUser() throws Exception {
        if (!"root".equals(System.getProperty("user.name"))) {
            return;
        }
        Trees.chown(directory.resolve("postgres"), "nobody");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        try (EmbeddedPostgres server = start()) {
            assertEquals("1", ask(server, "SELECT 1"));
            assertEquals(
                    "nobody",
                    ProcessHandle.of(server.processId())
                            .orElseThrow()
                            .info()
                            .user()
                            .orElseThrow());
        }
    }

    @Test
    void twoDirectoriesLiveSideBySide() throws Exception {
        Path other = directory.resolveSibling("other");
        copy(template, other);
        try (EmbeddedPostgres first = start();
                EmbeddedPostgres second = EmbeddedPostgres.start(config(other))) {
            assertNotEquals(first.port(), second.port());
            assertEquals(directory.resolve("postgres").toRealPath().toString(), ask(first, "SHOW data_directory"));
            assertEquals(other.resolve("postgres").toRealPath().toString(), ask(second, "SHOW data_directory"));
        }
    }
}
