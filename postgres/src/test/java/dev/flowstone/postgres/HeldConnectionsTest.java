package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a neighbour does to everybody's sessions, on a server that no other test uses. */
final class HeldConnectionsTest {
    private static final String ROLE = "somebody";

    @TempDir
    private Path folder = Path.of("");

    private static DataSource somebody(PostgresConfig config) throws SQLException {
        DataSource admin =
                Pools.single(config, config.admin().user(), config.admin().password());
        try (Connection connection = admin.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE somebody LOGIN PASSWORD 'somebody'");
        }
        return Pools.single(config, ROLE, ROLE);
    }

    @Test
    void takesEveryConnectionAndGivesThemBack() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")))) {
            DataSource others = somebody(server.config());
            try (Connection before = others.getConnection()) {
                assertEquals(1, EndedSessions.ofOthers(server.config()));
                assertFalse(before.isValid(10), "it was ended");
            }
            try (Connection before = others.getConnection();
                    HeldConnections held = HeldConnections.of(server.config())) {
                int first = held.seize();
                assertFalse(before.isValid(10), "it was ended");
                assertTrue(held.seize() >= first, "and taken, too");
                assertEquals(
                        "53300",
                        assertThrows(SQLException.class, others::getConnection).getSQLState());
            }
            try (Connection after = others.getConnection()) {
                assertTrue(after.isValid(10));
            }
        }
    }
}
