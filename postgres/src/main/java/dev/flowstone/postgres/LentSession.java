package dev.flowstone.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A session in which others' statements ran is as good as new for whoever has it next, or is closed. Much of a session
 * outlives its transaction: settings, temporary tables that hide others of the same name, advisory locks, which outlive even
 * one that was rolled back.
 */
final class LentSession {
    private static final System.Logger LOG = System.getLogger(LentSession.class.getName());

    /** What DISCARD ALL does, but for the prepared statements, which are the driver's; one message to the server. */
    private static final String RESET = """
            RESET SESSION AUTHORIZATION; RESET ALL; CLOSE ALL; UNLISTEN *; DISCARD TEMP; DISCARD SEQUENCES;
            SELECT pg_advisory_unlock_all()
            """;

    private LentSession() {}

    /**
     * Readies a connection whose transaction has ended for its pool. Never throws: what was committed is, whatever becomes of
     * the connection.
     */
    static void giveBack(Connection connection, DataSource pool) {
        try {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
                try (Statement reset = connection.createStatement()) {
                    reset.execute(RESET);
                }
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, () -> "a connection is closed that can't be reset: " + e.getMessage());
            if (pool instanceof HikariDataSource pooled) {
                pooled.evictConnection(connection);
            }
        }
    }
}
