package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** An empty database on a running server, for measurements; dropped, with everything in it, when it is closed. */
public final class ScratchDatabase implements AutoCloseable {
    private final DataSource admin;
    private final PostgresConfig config;
    private final String name;

    private ScratchDatabase(DataSource admin, PostgresConfig config, String name) {
        this.admin = requireNonNull(admin);
        this.config = requireNonNull(config);
        this.name = requireNonNull(name);
    }

    /** Makes one whose name begins with {@code flowstone_} and the purpose, which is a word in lower case. */
    public static ScratchDatabase on(PostgresConfig server, String purpose) throws JournalException {
        String name = "flowstone_" + purpose + "_" + ProcessHandle.current().pid() + "_" + System.nanoTime();
        DataSource admin =
                Pools.single(server, server.admin().user(), server.admin().password());
        execute(admin, "CREATE DATABASE " + name);
        return new ScratchDatabase(admin, server.withDatabase(name), name);
    }

    /** The server's configuration, pointed at this database. */
    public PostgresConfig config() {
        return config;
    }

    @Override
    public void close() throws JournalException {
        execute(admin, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    private static void execute(DataSource admin, String sql) throws JournalException {
        try (Connection connection = admin.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw SqlErrors.ofRead(e);
        }
    }
}
