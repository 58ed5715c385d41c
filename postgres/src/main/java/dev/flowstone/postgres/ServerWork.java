package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;

/**
 * What a server has done so far, by its own counters; what something cost is the difference of two. Those of the WAL are
 * everybody's on the server, the others of one database. All but {@code walBytes} lag: the last second of a connection that
 * has become idle may be told ten seconds later.
 *
 * @param walBytes written, by the log's own position
 * @param walRecords in it
 * @param walPages whole pages among them, after checkpoints
 * @param walSyncs times that the log was forced to disk
 * @param transactions committed
 * @param inserted rows
 * @param updated rows
 * @param deleted rows
 * @param activeMillis time that connections spent in statements, all together
 */
public record ServerWork(
        long walBytes,
        long walRecords,
        long walPages,
        long walSyncs,
        long transactions,
        long inserted,
        long updated,
        long deleted,
        long activeMillis) {
    /** What forced writes of the WAL are counted by moved in version 18. */
    private static final String SYNCS =
            "(SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal')";

    private static final String SYNCS_BEFORE_18 = "wal.wal_sync";
    private static final int VERSION_18 = 180_000;

    private static String counters(int version) {
        return """
                SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint,
                       wal.wal_records, wal.wal_fpi, %s,
                       base.xact_commit, base.tup_inserted, base.tup_updated, base.tup_deleted, base.active_time::bigint
                FROM pg_stat_wal wal, pg_stat_database base
                WHERE base.datname = current_database()
                """.formatted(version < VERSION_18 ? SYNCS_BEFORE_18 : SYNCS);
    }

    /** Asks the server, as the administrator, for the database that the configuration names. */
    public static ServerWork of(PostgresConfig config) throws JournalException {
        Login admin = config.admin();
        Database database = new Database(Pools.single(config, admin.user(), admin.password()));
        int version = database.query(
                        "SELECT current_setting('server_version_num')::int", query -> {}, row -> row.getInt(1))
                .getFirst();
        return database.query(
                        counters(version),
                        query -> {},
                        row -> new ServerWork(
                                row.getLong(1),
                                row.getLong(2),
                                row.getLong(3),
                                row.getLong(4),
                                row.getLong(5),
                                row.getLong(6),
                                row.getLong(7),
                                row.getLong(8),
                                row.getLong(9)))
                .getFirst();
    }

    /** What was done since. */
    public ServerWork since(ServerWork before) {
        return new ServerWork(
                walBytes - before.walBytes,
                walRecords - before.walRecords,
                walPages - before.walPages,
                walSyncs - before.walSyncs,
                transactions - before.transactions,
                inserted - before.inserted,
                updated - before.updated,
                deleted - before.deleted,
                activeMillis - before.activeMillis);
    }
}
