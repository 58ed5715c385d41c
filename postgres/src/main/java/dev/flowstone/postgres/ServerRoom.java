package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;

/** What room a server has left, as far as its counters tell; for operators. */
public final class ServerRoom {
    /** Sessions are counted by everybody, though not everybody may see what they do. */
    private static final String CONNECTIONS = """
            SELECT current_setting('max_connections')::int
                   - current_setting('superuser_reserved_connections')::int
                   - (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE backend_type = 'client backend')
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
