package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.read.Span;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Pages of runs, the newest first. Whatever is filtered by stands at the beginning of an index that ends with the run's id, so that a
 * page reads as many rows as it has, once for each status that is asked for; see {@link #both} about entries of rows that are dead.
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

    /**
     * Compares and orders by all columns of the index that it is meant for behind the tenant, though all but the last are one value: no
     * other index is in that order. Else the planner may take the key, which for a status that it believes to be common is as cheap, and
     * read every run. The tenant is no part of the comparison: row-level security says that it is one, and then the search begins where
     * the tenant does, not where the comparison would.
     */
    private static final String OF_STATUSES = """
            SELECT r.*
            FROM unnest(?::text[]) AS s (status)
            CROSS JOIN LATERAL (
                SELECT run_id, workflow, version, program, correlation, status, last_seq, last_hash, started_at, updated_at,
                       ended_at
                FROM flowstone.runs
                WHERE tenant = ? AND (%1$s run_id) < (%2$s ?) AND (%1$s run_id) >= (%2$s %3$s)
                ORDER BY %4$s run_id DESC
                LIMIT ?) AS r
            ORDER BY r.run_id DESC
            LIMIT ?
            """;

    private static final String FURTHEST =
            "greatest(?, (SELECT e.run_id FROM ended e ORDER BY e.run_id DESC OFFSET ? LIMIT 1))";

    private static final String BY_STATUS = both("status,", "s.status,", "status DESC,");
    private static final String BY_WORKFLOW = both("workflow, status,", "?, s.status,", "workflow DESC, status DESC,");

    /**
     * Runs that are over first. Those that aren't need to be looked for no further back than a page of these reaches: so a page that
     * is full of these passes by hardly any entry that a run has left behind in the index under the status it had, however many there are
     * and however long a snapshot keeps them from being cleaned up.
     */
    private static String both(String columns, String values, String order) {
        return """
                WITH ended AS (
                %s), live AS (
                %s)
                SELECT * FROM ended UNION ALL SELECT * FROM live
                ORDER BY run_id DESC
                LIMIT ?
                """.formatted(
                        OF_STATUSES.formatted(columns, values, "?", order),
                        OF_STATUSES.formatted(columns, values, FURTHEST, order));
    }

    List<RunRow> runs(TenantId tenant, RunFilter filter, Optional<RunId> before, int limit) throws JournalException {
        UUID newest = newest(filter.began(), before);
        UUID oldest = oldest(filter.began());
        boolean all = filter.workflow().isEmpty() && filter.statuses().isEmpty();
        return api.searchAsTenant(
                tenant,
                all ? ALL : filter.workflow().isEmpty() ? BY_STATUS : BY_WORKFLOW,
                query -> {
                    if (all) {
                        query.setString(1, tenant.value());
                        query.setObject(2, newest);
                        query.setObject(3, oldest);
                        query.setInt(4, limit);
                    } else {
                        int bound = bind(query, 0, tenant, filter, true, List.of(newest, oldest), limit);
                        bound = bind(query, bound, tenant, filter, false, List.of(newest, oldest), limit);
                        query.setInt(++bound, limit);
                    }
                },
                row -> PostgresRunReader.row(tenant, row));
    }

    /** Runs before this id: those behind the page before, and, as ids begin with the time of birth, those that are old enough. */
    private static UUID newest(Span began, Optional<RunId> before) {
        UUID page = before.map(RunId::value).orElse(AFTER_ALL);
        return began.before()
                .map(RunLists::firstBornAt)
                .filter(time -> isBefore(time, page))
                .orElse(page);
    }

    private static UUID oldest(Span began) {
        return began.since()
                .map(RunLists::firstBornAt)
                .filter(time -> isBefore(FIRST_RUN, time))
                .orElse(FIRST_RUN);
    }

    /** By time of birth, as the database orders them: {@code UUID.compareTo} takes years behind 6429 for the earliest. */
    private static boolean isBefore(UUID one, UUID other) {
        return Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits()) < 0;
    }

    /** Binds one part of what is asked for: the runs that are over, or the others. */
    private static int bind(
            PreparedStatement query,
            int last,
            TenantId tenant,
            RunFilter filter,
            boolean ended,
            List<UUID> ends,
            int limit)
            throws SQLException {
        int bound = last;
        query.setObject(
                ++bound,
                texts(asked(filter.statuses()).stream()
                        .filter(status -> status.isFinal() == ended)
                        .toList()));
        query.setString(++bound, tenant.value());
        for (UUID end : ends) {
            if (filter.workflow().isPresent()) {
                query.setString(++bound, filter.workflow().get().value());
            }
            query.setObject(++bound, end);
        }
        if (!ended) {
            query.setInt(++bound, Math.max(0, limit - 1));
        }
        query.setInt(++bound, limit);
        query.setInt(++bound, limit);
        return bound;
    }

    static BinaryArray names(Collection<RunStatus> statuses) {
        return texts(asked(statuses));
    }

    /** None means every one. */
    private static List<RunStatus> asked(Collection<RunStatus> statuses) {
        return statuses.isEmpty() ? EVERY_STATUS : List.copyOf(statuses);
    }

    private static BinaryArray texts(List<RunStatus> statuses) {
        return BinaryArray.texts(statuses, RunStatus::name);
    }
}
