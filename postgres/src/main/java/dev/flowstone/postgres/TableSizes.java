package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What Flowstone's tables take on disk, by the table's name, partitions of one together; for measurements.
 *
 * @param checkpoints of the server so far, timed or because much was written
 */
public record TableSizes(SortedMap<String, Size> tables, long checkpoints) {
    private static final int VERSION_17 = 170_000;
    private static final String TABLES = """
            SELECT coalesce(parent.relname, s.relname),
                   sum(pg_table_size(s.relid))::bigint, sum(pg_indexes_size(s.relid))::bigint, sum(s.n_dead_tup)::bigint
            FROM pg_catalog.pg_stat_user_tables s
            LEFT JOIN pg_catalog.pg_inherits i ON i.inhrelid = s.relid
            LEFT JOIN pg_catalog.pg_class parent ON parent.oid = i.inhparent
            WHERE s.schemaname = 'flowstone'
            GROUP BY 1
            """;
    private static final String CHECKPOINTS = "SELECT num_timed + num_requested FROM pg_stat_checkpointer";
    private static final String CHECKPOINTS_BEFORE_17 =
            "SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter";

    /**
     * One table's.
     *
     * @param heap bytes of its rows, also of those that are stored aside
     * @param indexes bytes
     * @param dead rows that nothing needs any more and that still take room, as the database estimates it
     */
    public record Size(long heap, long indexes, long dead) {}

    private record Row(String table, Size size) {}

    public TableSizes {
        tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
    }

    /** Asks the server, as the administrator, for the database that the configuration names. */
    public static TableSizes of(PostgresConfig config) throws JournalException {
        Login admin = config.admin();
        Database database = new Database(Pools.single(config, admin.user(), admin.password()));
        TreeMap<String, Size> tables = new TreeMap<>();
        database.query(
                        TABLES,
                        query -> {},
                        row -> new Row(row.getString(1), new Size(row.getLong(2), row.getLong(3), row.getLong(4))))
                .forEach(row -> tables.put(row.table(), row.size()));
        int version = database.query(
                        "SELECT current_setting('server_version_num')::int", query -> {}, row -> row.getInt(1))
                .getFirst();
        return new TableSizes(
                tables,
                database.query(
                                version < VERSION_17 ? CHECKPOINTS_BEFORE_17 : CHECKPOINTS,
                                query -> {},
                                row -> row.getLong(1))
                        .getFirst());
    }
}
