package dev.flowstone.postgres.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.TestFiles;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.AlreadyRunning;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.StartFailed;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.UnusableDirectory;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.WrongVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the embedded server refuses, and what it says then. */
final class EmbeddedRefusalTest extends EmbeddedServers {
    private static String refusal(SQLException e) {
        return String.valueOf(e.getSQLState());
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
