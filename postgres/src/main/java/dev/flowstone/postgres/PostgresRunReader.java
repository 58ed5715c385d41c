package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunCounts;
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
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads as the API's role, which sees one tenant in each transaction. */
final class PostgresRunReader implements RunReader {
    private final Database api;
    private final RunLists lists;
    private final RunCounting counts;

    PostgresRunReader(Database api) {
        this.api = api;
        this.lists = new RunLists(api);
        this.counts = new RunCounting(api);
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

    private static final String ROWS = """
            SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                   ended_at
            FROM flowstone.runs
            WHERE tenant = ? AND run_id = ANY (?)
            """;

    @Override
    public Map<RunId, RunRow> rows(TenantId tenant, Collection<RunId> runs) throws JournalException {
        Map<RunId, RunRow> rows = new HashMap<>();
        if (!runs.isEmpty()) {
            BinaryArray ids = BinaryArray.uuids(List.copyOf(runs), RunId::value);
            api.queryAsTenant(
                            tenant,
                            ROWS,
                            query -> {
                                query.setString(1, tenant.value());
                                query.setObject(2, ids);
                            },
                            row -> row(tenant, row))
                    .forEach(found -> rows.put(found.key().run(), found));
        }
        return rows;
    }

    @Override
    public List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit)
            throws JournalException {
        return lists.runs(tenant, filter, before, limit);
    }

    @Override
    public RunCounts counts(TenantId tenant, Optional<WorkflowId> workflow) throws JournalException {
        return counts.all(tenant, workflow);
    }

    @Override
    public RunCounts countsSince(TenantId tenant, Optional<WorkflowId> workflow, Instant since, int most)
            throws JournalException {
        return counts.young(tenant, workflow, since, most);
    }

    private static final String ARCHIVES = """
            SELECT file FROM flowstone.archived_tenants
            WHERE tenant = ? AND month = ?
            ORDER BY number
            """;

    @Override
    public List<String> archives(TenantId tenant, RunId run) throws JournalException {
        LocalDate month = YearMonth.from(run.birth().atOffset(ZoneOffset.UTC)).atDay(1);
        return api.queryAsTenant(
                tenant,
                ARCHIVES,
                query -> {
                    query.setString(1, tenant.value());
                    query.setObject(2, month);
                },
                row -> row.getString(1));
    }

    static RunRow row(TenantId tenant, ResultSet row) throws SQLException {
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

    private static final String BEGINNINGS = """
            SELECT first_seq, last_seq, bytes, hash, run_id
            FROM flowstone.entries
            WHERE tenant = ? AND run_id = ANY (?) AND first_seq = 1
            """;

    @Override
    public Map<RunId, StoredEntry> beginnings(TenantId tenant, Collection<RunId> runs) throws JournalException {
        Map<RunId, StoredEntry> first = new HashMap<>();
        if (!runs.isEmpty()) {
            BinaryArray ids = BinaryArray.uuids(List.copyOf(runs), RunId::value);
            api.queryAsTenant(
                            tenant,
                            BEGINNINGS,
                            query -> {
                                query.setString(1, tenant.value());
                                query.setObject(2, ids);
                            },
                            row -> Map.entry(new RunId(row.getObject(5, UUID.class)), entry(row)))
                    .forEach(found -> first.put(found.getKey(), found.getValue()));
        }
        return first;
    }

    /**
     * Of a first event's frame, which stands behind the header's, each with its length in 4 bytes before it. Entries are not
     * compressed, so that a slice reads only the pages that it lies in. Lengths that can't be are cut, not added up.
     */
    private static final String ENDS_OF_FIRST = """
            SELECT run_id, substring(bytes FROM greatest(begins, begins + length - ?) FOR least(length, ?))
            FROM (
                SELECT run_id, bytes, header + 9 AS begins,
                       greatest(0, least(1 << 29,
                           ('x' || encode(substring(bytes FROM header + 5 FOR 4), 'hex'))::bit(32)::integer)) AS length
                FROM (
                    SELECT run_id, bytes,
                           greatest(0, least(1 << 29,
                               ('x' || encode(substring(bytes FROM 1 FOR 4), 'hex'))::bit(32)::integer)) AS header
                    FROM flowstone.entries
                    WHERE tenant = ? AND run_id = ANY (?) AND first_seq = 1
                ) AS headed
            ) AS framed
            WHERE substring(bytes FROM begins + length - ? FOR ?) = ?
            """;

    @Override
    public Map<RunId, byte[]> endsOfFirst(TenantId tenant, Collection<RunId> runs, byte[] ending, int most)
            throws JournalException {
        Map<RunId, byte[]> ends = new HashMap<>();
        if (!runs.isEmpty()) {
            BinaryArray ids = BinaryArray.uuids(List.copyOf(runs), RunId::value);
            api.queryAsTenant(
                            tenant,
                            ENDS_OF_FIRST,
                            query -> {
                                query.setInt(1, most);
                                query.setInt(2, most);
                                query.setString(3, tenant.value());
                                query.setObject(4, ids);
                                query.setInt(5, ending.length);
                                query.setInt(6, ending.length);
                                query.setBytes(7, ending);
                            },
                            row -> Map.entry(new RunId(row.getObject(1, UUID.class)), row.getBytes(2)))
                    .forEach(found -> ends.put(found.getKey(), found.getValue()));
        }
        return ends;
    }

    private static final String HEADERS_OF_FIRST = """
            SELECT run_id, substring(bytes FROM 5 FOR header)
            FROM (
                SELECT run_id, bytes,
                       greatest(0, least(1 << 29,
                           ('x' || encode(substring(bytes FROM 1 FOR 4), 'hex'))::bit(32)::integer)) AS header
                FROM flowstone.entries
                WHERE tenant = ? AND run_id = ANY (?) AND first_seq = 1
            ) AS headed
            WHERE header <= ?
            """;

    @Override
    public Map<RunId, byte[]> headersOfFirst(TenantId tenant, Collection<RunId> runs, int most)
            throws JournalException {
        Map<RunId, byte[]> headers = new HashMap<>();
        if (!runs.isEmpty()) {
            BinaryArray ids = BinaryArray.uuids(List.copyOf(runs), RunId::value);
            api.queryAsTenant(
                            tenant,
                            HEADERS_OF_FIRST,
                            query -> {
                                query.setString(1, tenant.value());
                                query.setObject(2, ids);
                                query.setInt(3, most);
                            },
                            row -> Map.entry(new RunId(row.getObject(1, UUID.class)), row.getBytes(2)))
                    .forEach(found -> headers.put(found.getKey(), found.getValue()));
        }
        return headers;
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

    private static final String FIRST_BYTES = """
            SELECT p.hash, get_byte(substring(p.bytes FROM 1 FOR 1), 0)
            FROM unnest(?) AS h (hash)
            JOIN flowstone.payloads p ON p.tenant = ? AND p.hash = h.hash
            """;

    @Override
    public Map<Sha256, Byte> firstBytes(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        Map<Sha256, Byte> found = new HashMap<>();
        if (!hashes.isEmpty()) {
            api.asTenant(
                            tenant,
                            connection -> Database.query(
                                    connection,
                                    FIRST_BYTES,
                                    query -> {
                                        query.setObject(1, BinaryArray.bytes(List.copyOf(hashes), Sha256::bytes));
                                        query.setString(2, tenant.value());
                                    },
                                    row -> Map.entry(Sha256.ofBytes(row.getBytes(1)), (byte) row.getInt(2))))
                    .forEach(one -> found.put(one.getKey(), one.getValue()));
        }
        return found;
    }
}
