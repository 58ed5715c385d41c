package dev.flowstone.postgres;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Heads, newest snapshots and tails of many runs in one query, hence of one moment. A head's row stands before its tail's. */
final class LoadQuery {
    private static final String SQL = """
            WITH heads AS MATERIALIZED (
                SELECT u.n, r.tenant, r.run_id, r.workflow, r.version, r.program, r.last_seq, r.last_hash,
                       s.seq AS snapshot_seq, s.bytes AS snapshot
                FROM unnest(?, ?) WITH ORDINALITY AS u (tenant, run_id, n)
                JOIN flowstone.runs r ON r.tenant = u.tenant AND r.run_id = u.run_id
                LEFT JOIN flowstone.snapshots s ON s.tenant = r.tenant AND s.run_id = r.run_id
                WHERE r.slot BETWEEN ? AND ?
            )
            SELECT h.n, 0::bigint AS first_seq, h.last_seq, h.snapshot AS bytes, h.last_hash AS hash, h.workflow,
                   h.version, h.program, h.snapshot_seq
            FROM heads h
            UNION ALL
            SELECT h.n, e.first_seq, e.last_seq, e.bytes, e.hash, NULL, NULL, NULL, NULL
            FROM heads h
            JOIN flowstone.entries e ON e.run_id = h.run_id AND e.tenant = h.tenant
                AND e.first_seq > coalesce(h.snapshot_seq, 0)
            ORDER BY n, first_seq
            """;

    /** The same of runs whose snapshots are of no use. */
    private static final String WHOLE = SQL.replace("s.run_id = r.run_id", "s.run_id = r.run_id AND false");

    private LoadQuery() {}

    static Map<RunKey, StoredRun> execute(Connection connection, Shard shard, List<RunKey> runs) throws SQLException {
        return execute(connection, SQL, shard, runs);
    }

    /** All entries, and no snapshot. */
    static Map<RunKey, StoredRun> whole(Connection connection, Shard shard, List<RunKey> runs) throws SQLException {
        return execute(connection, WHOLE, shard, runs);
    }

    private static Map<RunKey, StoredRun> execute(Connection connection, String sql, Shard shard, List<RunKey> runs)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setObject(1, BinaryArray.texts(runs, key -> key.tenant().value()));
            query.setObject(2, BinaryArray.uuids(runs, key -> key.run().value()));
            query.setInt(3, shard.firstSlot());
            query.setInt(4, shard.lastSlot());
            try (ResultSet rows = query.executeQuery()) {
                return read(rows, runs);
            }
        }
    }

    private static Map<RunKey, StoredRun> read(ResultSet rows, List<RunKey> runs) throws SQLException {
        Map<RunKey, StoredRun> found = new HashMap<>();
        boolean more = rows.next();
        while (more) {
            int number = rows.getInt(1);
            StoredRun head = head(rows, runs.get(number - 1));
            List<StoredEntry> tail = new ArrayList<>();
            while ((more = rows.next()) && rows.getInt(1) == number) {
                tail.add(new StoredEntry(
                        rows.getLong(2), rows.getLong(3), rows.getBytes(4), Sha256.ofBytes(rows.getBytes(5))));
            }
            found.put(head.key(), withTail(head, tail));
        }
        return found;
    }

    private static StoredRun head(ResultSet row, RunKey key) throws SQLException {
        long snapshotSequence = row.getLong(9);
        Optional<Snapshot> snapshot =
                row.wasNull() ? Optional.empty() : Optional.of(new Snapshot(snapshotSequence, row.getBytes(4)));
        return new StoredRun(
                key,
                new WorkflowId(row.getString(6)),
                row.getInt(7),
                Sha256.ofBytes(row.getBytes(8)),
                row.getLong(3),
                Sha256.ofBytes(row.getBytes(5)),
                snapshot,
                List.of());
    }

    private static StoredRun withTail(StoredRun head, List<StoredEntry> tail) {
        return new StoredRun(
                head.key(),
                head.workflow(),
                head.version(),
                head.program(),
                head.lastSequence(),
                head.lastHash(),
                head.snapshot(),
                tail);
    }
}
