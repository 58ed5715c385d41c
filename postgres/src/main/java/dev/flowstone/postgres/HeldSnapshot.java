package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a reporting query does to everybody else, for measurements: a transaction that has looked at the database once and, until
 * it is closed, is to see it as it was then, so that nothing which was alive then can be cleaned away.
 */
public final class HeldSnapshot implements AutoCloseable {
    private final Connection connection;

    private HeldSnapshot(Connection connection) {
        this.connection = requireNonNull(connection);
    }

    /** As the user that migrates, whom no bound on idle transactions sends away. */
    public static HeldSnapshot of(PostgresConfig config) throws JournalException {
        Login admin = config.admin();
        try {
            Connection connection =
                    Pools.single(config, admin.user(), admin.password()).getConnection();
            try (Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                statement.execute("SELECT count(*) FROM flowstone.runs");
                return new HeldSnapshot(connection);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqlErrors.ofRead(e);
        }
    }

    /**
     * Runs that it sees: as many as there were.
     *
     * @throws JournalException if it has been lost
     */
    public long runs() throws JournalException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM flowstone.runs")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw SqlErrors.ofRead(e);
        }
    }

    @Override
    public void close() throws JournalException {
        try (connection) {
            connection.rollback();
        } catch (SQLException e) {
            throw SqlErrors.ofRead(e);
        }
    }
}
