package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Pages of runs, the newest first. Whatever is filtered by stands at the beginning of an index that ends with the run's id, so that a
 * page reads as many rows as it has, once for each status that is asked for.
 */
final class RunLists {
    /** Every aggregate was born, by its id, in the first two milliseconds of 1970, and no run was. */
    static final UUID FIRST_RUN = firstBornAt(Instant.ofEpochMilli(2));

    private static final UUID AFTER_ALL = new UUID(-1L, -1L);
    private static final List<RunStatus> EVERY_STATUS = List.of(RunStatus.values());

    private final Database api;

    RunLists(Database api) {
        this.api = api;
    }

    /** The least id of a run that began at or after this time. */
    static UUID firstBornAt(Instant time) {
        return new UUID(Math.max(0, time.toEpochMilli()) << 16, 0);
    }

    private static final String ALL = """
            SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                   ended_at
            FROM flowstone.runs
            WHERE tenant = ? AND run_id < ? AND run_id >= ?
            ORDER BY run_id DESC
            LIMIT ?
            """;

    private static final String BY_STATUS = """
            SELECT r.*
            FROM unnest(?::text[]) AS s (status)
            CROSS JOIN LATERAL (
                SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                       ended_at
                FROM flowstone.runs
                WHERE tenant = ? AND status = s.status AND run_id < ? AND run_id >= ?
                ORDER BY run_id DESC
                LIMIT ?) AS r
            ORDER BY r.run_id DESC
            LIMIT ?
            """;

    private static final String BY_WORKFLOW = """
            SELECT r.*
            FROM unnest(?::text[]) AS s (status)
            CROSS JOIN LATERAL (
                SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                       ended_at
                FROM flowstone.runs
                WHERE tenant = ? AND workflow = ? AND status = s.status AND run_id < ? AND run_id >= ?
                ORDER BY run_id DESC
                LIMIT ?) AS r
            ORDER BY r.run_id DESC
            LIMIT ?
            """;

    List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit) throws JournalException {
        boolean all = filter.workflow().isEmpty() && filter.statuses().isEmpty();
        String sql = all ? ALL : filter.workflow().isEmpty() ? BY_STATUS : BY_WORKFLOW;
        return api.searchAsTenant(
                tenant,
                sql,
                query -> {
                    int bound = 0;
                    if (!all) {
                        query.setObject(++bound, names(filter.statuses()));
                    }
                    query.setString(++bound, tenant.value());
                    if (filter.workflow().isPresent()) {
                        query.setString(++bound, filter.workflow().get().value());
                    }
                    query.setObject(++bound, before.map(RunId::value).orElse(AFTER_ALL));
                    query.setObject(++bound, FIRST_RUN);
                    query.setInt(++bound, limit);
                    if (!all) {
                        query.setInt(++bound, limit);
                    }
                },
                row -> PostgresRunReader.row(tenant, row));
    }

    /** None means every one. */
    static BinaryArray names(Collection<RunStatus> statuses) {
        return BinaryArray.texts(statuses.isEmpty() ? EVERY_STATUS : List.copyOf(statuses), RunStatus::name);
    }
}
