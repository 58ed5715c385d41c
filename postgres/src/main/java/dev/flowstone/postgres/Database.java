package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.BadData;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.kernel.id.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Connections of one role, in auto-commit. Nobody ever holds two at a time, so that a pool of one is enough for progress.
 *
 * @param answer for how long a word of the server is waited for; zero: for as long as the pool says
 */
record Database(DataSource pool, Duration answer) {
    Database(DataSource pool) {
        this(pool, Duration.ZERO);
    }

    /** The same connections, where more or less patience is right. */
    Database answeringWithin(Duration time) {
        return new Database(pool, time);
    }

    /** Work on a connection that is given back afterwards. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Sets a statement's parameters. */
    @FunctionalInterface
    interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** Makes a value of the current row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    Connection connect() throws Unavailable {
        try {
            return answering(pool.getConnection());
        } catch (SQLException e) {
            if (e instanceof SQLTransientConnectionException) {
                Eviction.ofDeadIdle(pool);
            }
            throw new Unavailable("no connection to the database: " + e.getMessage(), e);
        }
    }

    /** The pool sets it back. A connection that is broken already goes back to the pool, too. */
    private Connection answering(Connection connection) throws SQLException {
        if (answer.isZero()) {
            return connection;
        }
        try {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answer.toMillis()));
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Reads, or changes nothing that isn't safe to repeat. */
    <T> T read(Work<T> work) throws JournalException {
        try (Connection connection = connect()) {
            return work.on(connection);
        } catch (UnstorableValueException e) {
            throw new BadData(String.valueOf(e.getMessage()), e);
        } catch (SQLException e) {
            throw SqlErrors.ofRead(e);
        }
    }

    <T> List<T> query(String sql, Binding binding, RowReader<T> reader) throws JournalException {
        return read(connection -> query(connection, sql, binding, reader));
    }

    /** A statement that may be repeated; how many rows it changed. */
    long change(String sql, Binding binding) throws JournalException {
        return read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                binding.bind(statement);
                return (long) statement.executeUpdate();
            }
        });
    }

    static <T> List<T> query(Connection connection, String sql, Binding binding, RowReader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(statement);
            List<T> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
            }
            return found;
        }
    }

    private static final String SET_TENANT =
            "SELECT set_config('flowstone.tenant', ?, true), set_config('statement_timeout', '8s', true)";
    private static final String SET_SEARCH =
            "SELECT set_config('flowstone.tenant', ?, true), set_config('plan_cache_mode', 'force_custom_plan', true)";

    /**
     * Work in a transaction that sees one tenant; for the API's role. A server that is slow ends a statement after 8 s, before the
     * client takes it for one that is gone.
     */
    <T> T asTenant(TenantId tenant, Work<T> work) throws JournalException {
        return transaction(connection -> {
            set(connection, SET_TENANT, tenant);
            return work.on(connection);
        });
    }

    /** Work in a transaction. */
    <T> T transaction(Work<T> work) throws JournalException {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            try {
                T result = work.on(connection);
                commit(connection);
                return result;
            } catch (Throwable e) {
                // Whatever it is: turning auto-commit on again would commit half of the work.
                rollback(connection, e);
                throw e;
            } finally {
                autoCommit(connection);
            }
        } catch (UnstorableValueException e) {
            throw new BadData(String.valueOf(e.getMessage()), e);
        } catch (SQLException e) {
            throw SqlErrors.ofRead(e);
        }
    }

    /**
     * How long a transaction that others' code takes part in may hold what it holds.
     *
     * @param lock waiting for one lock
     * @param all a statement, a pause between two, and everything together up to the commit; a statement that began in time
     *     may take as long again
     */
    record Limits(Duration lock, Duration all) {}

    /** Work in which others' code takes part, and whether what it did is to stay. */
    @FunctionalInterface
    interface Shared<T> {
        /**
         * Does it.
         *
         * @param sql what others' code gets of the connection
         */
        Ended<T> on(Connection connection, JdbcSql sql) throws Exception;
    }

    /**
     * What came of it.
     *
     * @param mayCommit asked last, of what is to stay; what it throws undoes everything
     */
    record Ended<T>(T value, boolean stays, Runnable mayCommit) {
        static <T> Ended<T> undone(T value) {
            return new Ended<>(value, false, () -> {});
        }

        static <T> Ended<T> done(T value) {
            return new Ended<>(value, true, () -> {});
        }
    }

    private static final String BEGIN = """
            SELECT set_config('flowstone.tenant', ?, true), set_config('lock_timeout', ?, true),
                   set_config('statement_timeout', ?, true), set_config('idle_in_transaction_session_timeout', ?, true)
            """;

    /**
     * A transaction of one tenant's with bounds of its own. Locks and statements that take too long, and conflicts with
     * others, are a {@link MutationException}; so is what is wrong with a statement of {@link JdbcSql}.
     *
     * @throws JournalException.UnknownOutcome only if the connection broke in the commit
     */
    <T> T shared(TenantId tenant, Limits limits, Shared<T> work) throws Exception {
        try (Connection connection = connect()) {
            JdbcSql sql = new JdbcSql(connection, limits.all());
            try {
                connection.setAutoCommit(false);
                begin(connection, tenant, limits);
                Ended<T> ended = work.on(connection, sql);
                if (ended.stays()) {
                    sql.checkWhole();
                    commitShared(connection, ended);
                } else {
                    connection.rollback();
                }
                return ended.value();
            } catch (Throwable e) {
                rollback(connection, e);
                throw e;
            } finally {
                LentSession.giveBack(connection, pool);
            }
        } catch (JdbcSql.Failed e) {
            throw JdbcSql.explained(e.cause());
        } catch (SQLException e) {
            throw JdbcSql.explained(e);
        }
    }

    private static void begin(Connection connection, TenantId tenant, Limits limits) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
            statement.setString(1, tenant.value());
            statement.setString(2, milliseconds(limits.lock()));
            statement.setString(3, milliseconds(limits.all()));
            statement.setString(4, milliseconds(limits.all()));
            statement.execute();
        }
    }

    /** A commit that is refused is the statements' fault: a constraint may be judged only now. */
    private static void commitShared(Connection connection, Ended<?> ended) throws JournalException {
        ended.mayCommit().run();
        try {
            connection.commit();
        } catch (SQLException e) {
            RuntimeException refused = JdbcSql.failed(e);
            if (refused instanceof JdbcSql.Failed) {
                JournalException failed = SqlErrors.ofCommit(e);
                if (failed instanceof JournalException.UnknownOutcome) {
                    throw failed;
                }
            }
            throw refused;
        }
    }

    /** Never 0, which would be without a bound. */
    private static String milliseconds(Duration duration) {
        return Long.toString(Math.max(1, duration.toMillis()));
    }

    <T> List<T> queryAsTenant(TenantId tenant, String sql, Binding binding, RowReader<T> reader)
            throws JournalException {
        return asTenant(tenant, connection -> query(connection, sql, binding, reader));
    }

    /**
     * As {@link #queryAsTenant}, planned anew for the values that are asked for: which index is right is theirs to say. It may take as
     * long as the role's statements may.
     */
    <T> List<T> searchAsTenant(TenantId tenant, String sql, Binding binding, RowReader<T> reader)
            throws JournalException {
        return answeringWithin(Duration.ZERO).transaction(connection -> {
            set(connection, SET_SEARCH, tenant);
            return query(connection, sql, binding, reader);
        });
    }

    private static void commit(Connection connection) throws JournalException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw SqlErrors.ofCommit(e);
        }
    }

    private static void set(Connection connection, String settings, TenantId tenant) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(settings)) {
            statement.setString(1, tenant.value());
            statement.execute();
        }
    }

    private static void rollback(Connection connection, Throwable because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private static void autoCommit(Connection connection) throws SQLException {
        if (!connection.isClosed()) {
            connection.setAutoCommit(true);
        }
    }
}
