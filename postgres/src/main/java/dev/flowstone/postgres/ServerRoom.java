package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;

/** What room a server has left, as far as its counters tell; for operators. */
public final class ServerRoom {
    /** Whoever may not see what others' sessions do still sees that they are there. */
    private static final String CONNECTIONS = """
            SELECT current_setting('max_connections')::int
                   - current_setting('superuser_reserved_connections')::int
                   - (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datid IS NOT NULL)
            """;

    private final Database engine;

    ServerRoom(Database engine) {
        this.engine = engine;
    }

    /** Connections that the server would still take, of all databases together. */
    public long freeConnections() throws JournalException {
        return engine.query(CONNECTIONS, query -> {}, row -> row.getLong(1)).getFirst();
    }
}
