package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads as the API's role, which sees one tenant in each transaction. */
final class PostgresRunReader implements RunReader {
    private static final UUID AFTER_ALL = new UUID(-1L, -1L);

    private final Database api;

    PostgresRunReader(Database api) {
        this.api = api;
    }

    private static final String RUN = """
            SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                   ended_at
            FROM flowstone.runs
            WHERE tenant = ? AND run_id = ?
            """;

    @Override
    public Optional<RunRow> run(TenantId tenant, RunId run) throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        RUN,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setObject(2, run.value());
                        },
                        row -> row(tenant, row))
                .stream()
                .findFirst();
    }

    private static final String RUNS = """
            SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                   ended_at
            FROM flowstone.runs
            WHERE tenant = ? AND run_id < ?
              AND (?::text IS NULL OR workflow = ?)
              AND (cardinality(?::text[]) = 0 OR status = ANY (?))
            ORDER BY run_id DESC
            LIMIT ?
            """;

    @Override
    public List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit)
            throws JournalException {
        BinaryArray statuses = BinaryArray.texts(List.copyOf(filter.statuses()), RunStatus::name);
        return api.queryAsTenant(
                tenant,
                RUNS,
                query -> {
                    query.setString(1, tenant.value());
                    query.setObject(2, before.map(RunId::value).orElse(AFTER_ALL));
                    query.setString(3, filter.workflow().map(WorkflowId::value).orElse(null));
                    query.setString(4, filter.workflow().map(WorkflowId::value).orElse(null));
                    query.setObject(5, statuses);
                    query.setObject(6, statuses);
                    query.setInt(7, limit);
                },
                row -> row(tenant, row));
    }

    private static RunRow row(TenantId tenant, ResultSet row) throws SQLException {
        return new RunRow(
                new RunKey(tenant, new RunId(row.getObject(1, UUID.class))),
                new WorkflowId(row.getString(2)),
                row.getInt(3),
                Sha256.ofBytes(row.getBytes(4)),
                row.getString(5),
                RunStatus.valueOf(row.getString(6)),
                row.getLong(7),
                Sha256.ofBytes(row.getBytes(8)),
                Times.instant(row, 9),
                Times.instant(row, 10),
                Times.optional(row, 11));
    }

    /** By the last entry that begins at or before the number, so that the key's index finds the place. */
    private static final String ENTRIES = """
            SELECT first_seq, last_seq, bytes, hash
            FROM flowstone.entries
            WHERE tenant = ? AND run_id = ? AND last_seq >= ?
              AND first_seq >= coalesce((
                  SELECT first_seq FROM flowstone.entries
                  WHERE run_id = ? AND first_seq <= ?
                  ORDER BY first_seq DESC
                  LIMIT 1), 0)
            ORDER BY first_seq
            LIMIT ?
            """;

    @Override
    public List<StoredEntry> entries(TenantId tenant, RunId run, long fromSequence, int limit) throws JournalException {
        return api.queryAsTenant(
                tenant,
                ENTRIES,
                query -> {
                    query.setString(1, tenant.value());
                    query.setObject(2, run.value());
                    query.setLong(3, fromSequence);
                    query.setObject(4, run.value());
                    query.setLong(5, fromSequence);
                    query.setInt(6, limit);
                },
                PostgresRunReader::entry);
    }

    static StoredEntry entry(ResultSet row) throws SQLException {
        return new StoredEntry(row.getLong(1), row.getLong(2), row.getBytes(3), Sha256.ofBytes(row.getBytes(4)));
    }

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        return hashes.isEmpty()
                ? Map.of()
                : api.asTenant(tenant, connection -> PostgresJournal.payloads(connection, tenant, List.copyOf(hashes)));
    }
}
