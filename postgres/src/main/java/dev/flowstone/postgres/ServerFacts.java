package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a server says of itself, for whoever tells a measurement: without it no figure can be compared.
 *
 * @param version as {@code SELECT version()} gives it
 * @param settings those that durability and speed depend on, by name
 */
public record ServerFacts(String version, Map<String, String> settings) {
    private static final String SETTINGS = """
            SELECT name, current_setting(name) FROM pg_settings
            WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'wal_compression', 'wal_level',
                           'shared_buffers', 'max_wal_size', 'checkpoint_timeout', 'max_connections', 'autovacuum', 'jit',
                           'commit_delay', 'wal_buffers', 'effective_cache_size', 'work_mem')
            ORDER BY name
            """;

    public ServerFacts {
        requireNonNull(version);
        settings = Map.copyOf(settings);
    }

    /** Asks the server, as the administrator, whom no setting of a role applies to. */
    public static ServerFacts of(PostgresConfig config) throws JournalException {
        Login admin = config.admin();
        Database database = new Database(Pools.single(config, admin.user(), admin.password()));
        Map<String, String> settings = new LinkedHashMap<>();
        database.query(SETTINGS, query -> {}, row -> settings.put(row.getString(1), row.getString(2)));
        String version = database.query("SELECT version()", query -> {}, row -> row.getString(1))
                .getFirst();
        return new ServerFacts(version, settings);
    }
}
