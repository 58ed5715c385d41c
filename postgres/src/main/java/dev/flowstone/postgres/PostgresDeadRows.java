package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.DeadRowReader;
import dev.flowstone.engine.read.DeadRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Two statements on PostgreSQL's own counters, which touch no table of ours: as many rows as there are tables. A month's
 * partition counts for its table, so that there are no more names as time goes by.
 */
final class PostgresDeadRows implements DeadRowReader {
    private static final String TABLES = """
            SELECT coalesce(parent.relname, s.relname), sum(s.n_dead_tup)
            FROM pg_catalog.pg_stat_user_tables s
            LEFT JOIN pg_catalog.pg_inherits i ON i.inhrelid = s.relid
            LEFT JOIN pg_catalog.pg_class parent ON parent.oid = i.inhparent
            WHERE s.schemaname = 'flowstone'
            GROUP BY 1
            """;
    private static final String OLDEST = """
            SELECT known, greatest(0, coalesce(extract(epoch FROM clock_timestamp() - since), 0) * 1000)::bigint
            FROM flowstone.oldest_snapshot()
            """;

    private final Database engine;

    PostgresDeadRows(Database engine) {
        this.engine = engine;
    }

    private record Table(String name, long dead) {}

    @Override
    public DeadRows read() throws JournalException {
        List<Table> tables = engine.query(TABLES, query -> {}, row -> new Table(row.getString(1), row.getLong(2)));
        Optional<Duration> oldest =
                engine.query(OLDEST, query -> {}, PostgresDeadRows::oldest).getFirst();
        TreeMap<String, Long> dead = new TreeMap<>();
        tables.forEach(table -> dead.put(table.name(), table.dead()));
        return new DeadRows(dead, oldest);
    }

    private static Optional<Duration> oldest(ResultSet row) throws SQLException {
        return row.getBoolean(1) ? Optional.of(Duration.ofMillis(row.getLong(2))) : Optional.empty();
    }
}
