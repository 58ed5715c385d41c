package dev.flowstone.postgres;

import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.RunId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Versions of many subjects, and who lives on them, in one query. */
final class SubjectQuery {
    private static final String SQL = """
            SELECT k.n, s.version, w.run_id, w.exclusive
            FROM unnest(?, ?, ?) WITH ORDINALITY AS k (tenant, kind, id, n)
            JOIN flowstone.subjects s ON s.tenant = k.tenant AND s.kind = k.kind AND s.id = k.id
            LEFT JOIN flowstone.subject_windows w
                ON w.tenant = s.tenant AND w.kind = s.kind AND w.id = s.id AND w.live
            WHERE s.slot BETWEEN ? AND ?
            ORDER BY k.n, w.run_id
            """;

    private SubjectQuery() {}

    static Map<SubjectKey, StoredSubject> execute(Connection connection, Shard shard, List<SubjectKey> keys)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(SQL)) {
            query.setObject(1, BinaryArray.texts(keys, key -> key.tenant().value()));
            query.setObject(2, BinaryArray.texts(keys, key -> key.subject().kind()));
            query.setObject(3, BinaryArray.texts(keys, key -> key.subject().id()));
            query.setInt(4, shard.firstSlot());
            query.setInt(5, shard.lastSlot());
            try (ResultSet rows = query.executeQuery()) {
                return read(rows, keys);
            }
        }
    }

    private static Map<SubjectKey, StoredSubject> read(ResultSet rows, List<SubjectKey> keys) throws SQLException {
        Map<SubjectKey, StoredSubject> found = new HashMap<>();
        while (rows.next()) {
            SubjectKey key = keys.get(rows.getInt(1) - 1);
            StoredSubject before = found.getOrDefault(key, new StoredSubject(rows.getLong(2), List.of()));
            List<StoredSubject.Bound> bound = new ArrayList<>(before.bound());
            UUID run = rows.getObject(3, UUID.class);
            if (run != null) {
                bound.add(new StoredSubject.Bound(new RunId(run), rows.getBoolean(4)));
            }
            found.put(key, new StoredSubject(before.version(), bound));
        }
        return found;
    }
}
