package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.sql.DataSource;

/**
 * What a neighbour does who leaks connections, for whoever tries what becomes of a node then: every connection that the server
 * has, the administrator's own included, until this is closed.
 */
public final class HeldConnections implements AutoCloseable {
    /** {@code too_many_connections}. */
    private static final String FULL = "53300";

    private final DataSource server;
    private final Deque<Connection> held = new ArrayDeque<>();

    private HeldConnections(DataSource server) {
        this.server = requireNonNull(server);
    }

    /** None yet. */
    public static HeldConnections of(PostgresConfig config) {
        Login admin = config.admin();
        return new HeldConnections(Pools.single(config, admin.user(), admin.password()));
    }

    /** Takes what is left, and ends what others have, which is left the next time; how many it has now. */
    public synchronized int seize() throws JournalException {
        try {
            while (true) {
                held.push(server.getConnection());
            }
        } catch (SQLException e) {
            if (!FULL.equals(e.getSQLState())) {
                throw SqlErrors.ofRead(e);
            }
        }
        Connection one = held.peek();
        if (one != null) {
            try {
                long _ = EndedSessions.ofOthers(one);
            } catch (SQLException e) {
                throw SqlErrors.ofRead(e);
            }
        }
        return held.size();
    }

    @Override
    public synchronized void close() throws JournalException {
        SQLException failed = null;
        while (!held.isEmpty()) {
            try {
                held.pop().close();
            } catch (SQLException e) {
                failed = failed == null ? e : failed;
            }
        }
        if (failed != null) {
            throw SqlErrors.ofRead(failed);
        }
    }
}
