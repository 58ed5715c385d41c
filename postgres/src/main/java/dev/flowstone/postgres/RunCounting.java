package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunCounts;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** How many runs are in which status: from what the commits have counted, or by looking at the young ones. */
final class RunCounting {
    private static final Comparator<RunCounts.Group> ORDER = Comparator.comparing(
                    (RunCounts.Group group) -> group.workflow().value())
            .thenComparing(RunCounts.Group::status);

    private final Database api;

    RunCounting(Database api) {
        this.api = api;
    }

    /** What was folded, and what commits have changed since: of 63 commits of each stream at most. */
    private static final String ALL = """
            SELECT c.workflow, c.status, sum(c.runs)
            FROM (
                SELECT workflow, status, runs FROM flowstone.run_counts
                WHERE tenant = ? AND (?::text IS NULL OR workflow = ?)
                UNION ALL
                SELECT workflow, status, runs FROM flowstone.run_count_changes
                WHERE tenant = ? AND (?::text IS NULL OR workflow = ?)
            ) AS c
            GROUP BY c.workflow, c.status
            HAVING sum(c.runs) <> 0
            """;

    /** Every run, exactly, as of the last commit. */
    RunCounts all(TenantId tenant, Optional<WorkflowId> workflow) throws JournalException {
        String name = workflow.map(WorkflowId::value).orElse(null);
        List<RunCounts.Group> groups = api.searchAsTenant(
                tenant,
                ALL,
                query -> {
                    for (int first : new int[] {1, 4}) {
                        query.setString(first, tenant.value());
                        query.setString(first + 1, name);
                        query.setString(first + 2, name);
                    }
                },
                RunCounting::group);
        return counts(groups, true);
    }

    /** Newest first and no further than told, so that it costs what it looks at; one row more tells whether that was all. */
    private static final String YOUNG = """
            WITH newest AS (
                SELECT workflow, status, row_number() OVER (ORDER BY run_id DESC) AS place
                FROM flowstone.runs
                WHERE tenant = ? AND run_id >= ?
                ORDER BY run_id DESC
                LIMIT ?
            )
            SELECT workflow, status, count(*) FILTER (WHERE place <= ?), count(*)
            FROM newest
            GROUP BY workflow, status
            """;

    /** As that, so many of each status: no index has all statuses of a workflow in one order. */
    private static final String YOUNG_OF_WORKFLOW = """
            WITH newest AS (
                SELECT r.status, row_number() OVER (ORDER BY r.run_id DESC) AS place
                FROM unnest(?::text[]) AS s (status)
                CROSS JOIN LATERAL (
                    SELECT run_id, status
                    FROM flowstone.runs
                    WHERE tenant = ? AND workflow = ? AND status = s.status AND run_id >= ?
                    ORDER BY run_id DESC
                    LIMIT ?) AS r
                ORDER BY r.run_id DESC
                LIMIT ?
            )
            SELECT ?, status, count(*) FILTER (WHERE place <= ?), count(*)
            FROM newest
            GROUP BY status
            """;

    /** The newest of those that began at or after a time, so many at most. */
    RunCounts young(TenantId tenant, Optional<WorkflowId> workflow, Instant since, int most) throws JournalException {
        UUID born = RunLists.firstBornAt(since);
        UUID first = born.compareTo(RunLists.FIRST_RUN) > 0 ? born : RunLists.FIRST_RUN;
        List<Counted> rows = workflow.isPresent()
                ? young(tenant, workflow.get().value(), first, most)
                : api.searchAsTenant(
                        tenant,
                        YOUNG,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setObject(2, first);
                            query.setInt(3, most + 1);
                            query.setInt(4, most);
                        },
                        RunCounting::counted);
        List<RunCounts.Group> groups = rows.stream()
                .map(Counted::group)
                .filter(group -> group.runs() > 0)
                .toList();
        return counts(
                groups,
                rows.stream().mapToLong(Counted::found).sum()
                        == rows.stream().mapToLong(row -> row.group().runs()).sum());
    }

    private List<Counted> young(TenantId tenant, String workflow, UUID first, int most) throws JournalException {
        return api.searchAsTenant(
                tenant,
                YOUNG_OF_WORKFLOW,
                query -> {
                    query.setObject(1, RunLists.names(Set.of()));
                    query.setString(2, tenant.value());
                    query.setString(3, workflow);
                    query.setObject(4, first);
                    query.setInt(5, most + 1);
                    query.setInt(6, most + 1);
                    query.setString(7, workflow);
                    query.setInt(8, most);
                },
                RunCounting::counted);
    }

    private static RunCounts counts(List<RunCounts.Group> groups, boolean complete) {
        return new RunCounts(
                groups.stream().sorted(ORDER).toList(),
                groups.stream().mapToLong(RunCounts.Group::runs).sum(),
                complete);
    }

    /**
     * A group, and what was found of it.
     *
     * @param found with the one row beyond the bound
     */
    private record Counted(RunCounts.Group group, long found) {}

    private static Counted counted(ResultSet row) throws SQLException {
        return new Counted(group(row), row.getLong(4));
    }

    private static RunCounts.Group group(ResultSet row) throws SQLException {
        return new RunCounts.Group(
                new WorkflowId(row.getString(1)), RunStatus.valueOf(row.getString(2)), row.getLong(3));
    }
}
