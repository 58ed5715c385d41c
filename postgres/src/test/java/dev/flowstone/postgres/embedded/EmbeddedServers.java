package dev.flowstone.postgres.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.postgres.TestFiles;
import dev.flowstone.postgres.TestProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What tests of the embedded server share: a folder with a copy of a cluster, which is made once. */
abstract class EmbeddedServers {
    static Path cache;
    static Path template;

    Path folder;

    Path directory;

    /** The fields are filled before each test. */
    @SuppressWarnings("NullAway.Init")
    EmbeddedServers() {}

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

    static void copy(Path from, Path to) throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
    }

    static EmbeddedConfig config(Path directory) {
        return EmbeddedConfig.in(directory).withCache(cache).withSharedBuffers(16);
    }

    EmbeddedPostgres start() throws EmbeddedPostgresException {
        return EmbeddedPostgres.start(config(directory));
    }

    static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(
                server.jdbcUrl(), server.admin().user(), server.admin().password());
    }

    static String ask(EmbeddedPostgres server, String question) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    static void tell(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
