package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;

/** Asks a running server who it is and whether it is durable, instead of trusting what was written for it. */
final class ServerCheck {
    private static final int SECONDS = 5;
    private static final String SETTINGS = """
            SELECT current_setting('data_directory'),
                   current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'
                       AND current_setting('synchronous_commit') = 'on'
            """;

    private ServerCheck() {}

    /** Whether the server of this cluster answers to this password on this port. */
    static boolean answers(int port, Login admin, Path cluster) {
        try (Connection connection = connect(port, admin);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SETTINGS)) {
            return row.next() && Files.isSameFile(Path.of(row.getString(1)), cluster);
        } catch (SQLException | IOException e) {
            return false;
        }
    }

    static void durable(int port, Login admin, Path cluster) throws StartFailed {
        try (Connection connection = connect(port, admin);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SETTINGS)) {
            if (!row.next() || !row.getBoolean(2)) {
                throw new StartFailed("the server in " + cluster + " runs without fsync, full_page_writes or"
                        + " synchronous_commit and would lose acknowledged work: remove what turns them off (look into "
                        + cluster.resolve("postgresql.auto.conf") + ")");
            }
        } catch (SQLException e) {
            throw new StartFailed("the server in " + cluster + " started and does not answer: " + e.getMessage(), e);
        }
    }

    private static Connection connect(int port, Login admin) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName("postgres");
        source.setUser(admin.user());
        source.setPassword(admin.password());
        source.setConnectTimeout(SECONDS);
        source.setLoginTimeout(SECONDS);
        source.setSocketTimeout(SECONDS * 6);
        return source.getConnection();
    }
}
