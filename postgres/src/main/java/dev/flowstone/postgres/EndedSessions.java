package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.sql.Connection;
import java.sql.SQLException;

/** What an administrator does to everybody's sessions, for whoever tries what becomes of a node then. */
public final class EndedSessions {
    private static final String TERMINATE = """
            SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))
            FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND usename <> current_user
            """;

    private EndedSessions() {}

    /** Ends every session but those of the administrator, who asks; how many. */
    public static long ofOthers(PostgresConfig config) throws JournalException {
        Login admin = config.admin();
        return new Database(Pools.single(config, admin.user(), admin.password())).read(EndedSessions::ofOthers);
    }

    /** The same on a connection of the administrator's. */
    static long ofOthers(Connection connection) throws SQLException {
        return Database.query(connection, TERMINATE, query -> {}, row -> row.getLong(1))
                .getFirst();
    }
}
