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
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.UnusableDirectory;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.WrongVersion;
import java.io.File;
import java.io.IOException;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EmbeddedPostgresTest {
    private static Path cache;
    private static Path template;

    private Path folder;
    private Path directory;

    /** The fields are filled before each test. */
    @SuppressWarnings("NullAway.Init")
    EmbeddedPostgresTest() {}

    /** A cluster that each test copies: initdb is the slow part. */
    @BeforeAll
    static void makeTemplate() throws Exception {
        cache = PostgresBinaries.userCache();
        template = TestFiles.directory("flowstone-template-");
        EmbeddedPostgres.start(config(template)).close();
    }

    @AfterAll
    static void removeTemplate() {
        TestFiles.delete(template);
    }

    @BeforeEach
    void copyTemplate() throws Exception {
        folder = TestFiles.directory("flowstone embedded $HOME `'\"-");
        directory = folder.resolve("data");
        copy(template, directory);
    }

    @AfterEach
    void stop() throws Exception {
        Path cluster = directory.resolve("postgres");
        PostmasterPid.read(cluster)
                .filter(pid -> pid.serves(cluster))
                .ifPresent(pid -> TestProcesses.kill(pid.processId()));
        TestFiles.delete(folder);
    }

    private static void copy(Path from, Path to) throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
    }

    private static EmbeddedConfig config(Path directory) {
        return EmbeddedConfig.in(directory).withCache(cache).withSharedBuffers(16);
    }

    private EmbeddedPostgres start() throws EmbeddedPostgresException {
        return EmbeddedPostgres.start(config(directory));
    }

    private static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(
                server.jdbcUrl(), server.admin().user(), server.admin().password());
    }

    private static String ask(EmbeddedPostgres server, String question) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void tell(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
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
    void onlyThePasswordInTheDirectoryOpensIt() throws Exception {
        try (EmbeddedPostgres server = start()) {
            for (String password : List.of("", "postgres", "flowstone_admin")) {
                SQLException refused = assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection(
                                server.jdbcUrl(), server.admin().user(), password));
                assertTrue(List.of("28P01", "08004").contains(String.valueOf(refusal(refused))), refused.toString());
            }
            assertEquals(
                    "0", ask(server, "SELECT count(*) FROM pg_hba_file_rules WHERE auth_method <> 'scram-sha-256'"));
            Path password = directory.resolve("postgres.password");
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(password)));
            assertEquals(server.admin().password(), Files.readString(password).strip());
            assertFalse(server.config().toString().contains(server.admin().password()));
        }
    }

    private static String refusal(SQLException e) {
        return String.valueOf(e.getSQLState());
    }

    @Test
    void aSecondFlowstoneIsRefusedAndToldWho() throws Exception {
        try (EmbeddedPostgres server = start()) {
            AlreadyRunning inside = assertThrows(AlreadyRunning.class, this::start);
            assertEquals(ProcessHandle.current().pid(), inside.processId());

            Holder outside = Holder.start(directory, cache);
            assertTrue(outside.answer().startsWith("failed AlreadyRunning"), outside.answer());
            assertTrue(
                    outside.answer()
                            .contains("process " + ProcessHandle.current().pid()),
                    outside.answer());
            outside.end();
            assertEquals("1", ask(server, "SELECT 1"));
        }
        start().close();
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
    void aNumberThatSomebodyElseHasNowIsNotMistakenForTheServer() throws Exception {
        Files.writeString(
                directory.resolve("postgres/postmaster.pid"),
                ProcessHandle.current().pid() + "\n" + directory.resolve("postgres") + "\n0\n1\n\n127.0.0.1\n");
        try (EmbeddedPostgres server = start()) {
            assertFalse(server.adopted());
            assertNotEquals(ProcessHandle.current().pid(), server.processId());
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

    @Test
    void refusesToRunWithoutDurability() throws Exception {
        Files.writeString(directory.resolve("postgres/postgresql.auto.conf"), "fsync = off\n");
        StartFailed failed = assertThrows(StartFailed.class, this::start);
        assertTrue(String.valueOf(failed.getMessage()).contains("postgresql.auto.conf"), failed.getMessage());
        assertFalse(Files.exists(directory.resolve("postgres/postmaster.pid")), "and stops it again");
    }

    @Test
    void refusesWhatAnotherVersionMade() throws Exception {
        Files.writeString(directory.resolve("postgres/PG_VERSION"), "99\n");
        WrongVersion wrong = assertThrows(WrongVersion.class, this::start);
        assertTrue(String.valueOf(wrong.getMessage()).contains("99"), wrong.getMessage());
    }

    @Test
    void refusesWhatIsNoDatabaseOrNotOurs() throws Exception {
        Files.delete(directory.resolve("postgres.password"));
        UnusableDirectory foreign = assertThrows(UnusableDirectory.class, this::start);
        assertTrue(String.valueOf(foreign.getMessage()).contains("postgres.password"), foreign.getMessage());

        Files.delete(directory.resolve("postgres/PG_VERSION"));
        assertThrows(UnusableDirectory.class, this::start);

        Path file = Files.writeString(directory.resolveSibling("file"), "not a directory");
        assertThrows(UnusableDirectory.class, () -> EmbeddedPostgres.start(config(file)));
    }

    @Test
    void sayWhatIsBrokenInABrokenCluster() throws Exception {
        Files.delete(directory.resolve("postgres/global/pg_control"));
        StartFailed broken = assertThrows(StartFailed.class, this::start);
        assertTrue(String.valueOf(broken.getMessage()).contains("pg_control"), broken.getMessage());
        assertFalse(Files.exists(directory.resolve("postgres/postmaster.pid")));
    }

    @Test
    void leftoversOfAKilledFirstStartDoNotCount() throws Exception {
        TestFiles.delete(directory.resolve("postgres"));
        Files.delete(directory.resolve("postgres.password"));
        Files.createDirectories(directory.resolve("postgres.new-1/data/base"));
        try (EmbeddedPostgres server = start()) {
            assertEquals("1", ask(server, "SELECT 1"));
        }
        assertFalse(Files.exists(directory.resolve("postgres.new-1")));
    }
}
