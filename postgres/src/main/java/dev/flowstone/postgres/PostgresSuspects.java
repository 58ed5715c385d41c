package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.stuck.Place;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks for runs that stand still, as the engine's role, which sees timers and letters: every statement names its tenant. Each
 * begins where the page before it ended and ends after so many rows of its index, of which those that are no suspects are passed
 * over by looking up two keys.
 *
 * <pre>
 *  runs_by_status (tenant, status, run)        runs that sleep and have neither a timer nor a human task
 *  runs_awake (tenant, run) WHERE awake        runs that should move
 *  timers_due (due, tenant, run, timer)        timers that should have fired
 *  inbox_waiting (received, …) WHERE NOT …     messages that nobody took
 *  letters' key (slot, tenant, …)              letters under way, which are few
 * </pre>
 */
final class PostgresSuspects implements Suspects {
    static final UUID BEFORE_RUNS = new UUID(RunLists.FIRST_RUN.getMostSignificantBits() - 1, -1L);

    private final Database database;
    private final WaitingRows waiting;

    /** @param database of the engine's role; not one that anybody waits for who commits */
    PostgresSuspects(Database database) {
        this.database = database;
        this.waiting = new WaitingRows(database);
    }

    private static final String NEXT_TENANT = """
            SELECT tenant FROM flowstone.runs WHERE tenant > ? ORDER BY tenant, run_id LIMIT 1
            """;

    @Override
    public Optional<TenantId> tenantAfter(String tenant) throws JournalException {
        return database
                .query(NEXT_TENANT, query -> query.setString(1, tenant), row -> new TenantId(row.getString(1)))
                .stream()
                .findFirst();
    }

    @Override
    public Looked look(TenantId tenant, Place place, Instant before, int most) throws JournalException {
        return switch (place.scan()) {
            case RUNNING, FAILING, COMPENSATING, CANCELING ->
                quiet(tenant, place.scan().quiet().orElseThrow(), place.after(), before, most);
            case AWAKE -> awake(tenant, place.after(), before, most);
            case TIMERS -> waiting.timers(tenant, place.after(), before, most);
            case MESSAGES -> waiting.messages(tenant, place.after(), before, most);
            case LETTERS -> waiting.letters(tenant, place.after(), before, most);
        };
    }

    /** A row, what it is called, and whether it is a suspect. */
    record Seen(Suspect row, String key, boolean suspicious) {}

    /** Of runs: the suspects, and behind them the last run that was looked at if there may be more. */
    private static Looked runs(List<Seen> seen, int most) {
        List<Seen> suspects = seen.stream().filter(Seen::suspicious).toList();
        Optional<String> next = suspects.size() >= most
                ? Optional.of(suspects.getLast().key())
                : seen.stream().filter(it -> !it.suspicious()).findFirst().map(Seen::key);
        return new Looked(suspects.stream().map(Seen::row).toList(), next);
    }

    private static final String FOUND = """
            SELECT run_id, workflow, status, last_seq, updated_at, true FROM found
            UNION ALL
            SELECT run_id, workflow, status, last_seq, updated_at, false
            FROM (SELECT * FROM looked ORDER BY run_id DESC LIMIT 1) AS last
            WHERE (SELECT count(*) FROM looked) = ?
            """;

    /** The lateral joins are probes of a key, whatever the planner believes: it can't hash what ends at one row. */
    private static final String QUIET = """
            WITH looked AS MATERIALIZED (
                SELECT run_id, workflow, status, last_seq, updated_at, awake
                FROM flowstone.runs
                WHERE tenant = ? AND status = ? AND run_id > ?
                ORDER BY tenant, status, run_id
                LIMIT ?
            ), found AS (
                SELECT l.*
                FROM looked l
                LEFT JOIN LATERAL (
                    SELECT 1 AS one FROM flowstone.timers t WHERE t.tenant = ? AND t.run_id = l.run_id LIMIT 1
                ) t ON true
                LEFT JOIN LATERAL (
                    SELECT 1 AS one FROM flowstone.human_tasks h WHERE h.tenant = ? AND h.run_id = l.run_id LIMIT 1
                ) h ON true
                WHERE NOT l.awake AND l.updated_at < ? AND t.one IS NULL AND h.one IS NULL
                ORDER BY l.run_id
                LIMIT ?
            )
            """ + FOUND;

    private Looked quiet(TenantId tenant, RunStatus status, String after, Instant before, int most)
            throws JournalException {
        UUID from = run(after);
        return runs(
                database.query(
                        QUIET,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setString(2, status.name());
                            query.setObject(3, from);
                            query.setInt(4, ROWS);
                            query.setString(5, tenant.value());
                            query.setString(6, tenant.value());
                            query.setObject(7, Times.parameter(before));
                            query.setInt(8, most);
                            query.setInt(9, ROWS);
                        },
                        row -> seenRun(tenant, row)),
                most);
    }

    private static final String AWAKE = """
            WITH looked AS MATERIALIZED (
                SELECT run_id, workflow, status, last_seq, updated_at
                FROM flowstone.runs
                WHERE awake AND tenant = ? AND run_id > ?
                ORDER BY tenant, run_id
                LIMIT ?
            ), found AS (
                SELECT * FROM looked WHERE updated_at < ? ORDER BY run_id LIMIT ?
            )
            """ + FOUND;

    private Looked awake(TenantId tenant, String after, Instant before, int most) throws JournalException {
        UUID from = run(after);
        return runs(
                database.query(
                        AWAKE,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setObject(2, from);
                            query.setInt(3, ROWS);
                            query.setObject(4, Times.parameter(before));
                            query.setInt(5, most);
                            query.setInt(6, ROWS);
                        },
                        row -> seenRun(tenant, row)),
                most);
    }

    private static Seen seenRun(TenantId tenant, ResultSet row) throws SQLException {
        UUID run = row.getObject(1, UUID.class);
        Instant moved = Times.instant(row, 5);
        return new Seen(suspect(tenant, row, run, moved, ""), run.toString(), row.getBoolean(6));
    }

    static Suspect suspect(TenantId tenant, ResultSet row, UUID run, Instant since, String what) throws SQLException {
        return new Suspect(
                new RunKey(tenant, new RunId(run)),
                Optional.ofNullable(row.getString(2)).map(WorkflowId::new),
                Optional.ofNullable(row.getString(3)).map(RunStatus::valueOf),
                row.getLong(4),
                since,
                what);
    }

    private static UUID run(String after) {
        return after.isEmpty() ? BEFORE_RUNS : UUID.fromString(after);
    }
}
