package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.HumanTaskReader;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A page reads about as many rows as it has, whatever is filtered by and however rare that is; in a database of many runs
 * of one kind before and after few of another.
 */
final class ListCostTest extends PostgresTest {
    private static final int PAGE = 20;

    /** Of each of the eight statuses a page, each row in an index and in its table. */
    private static final long MOST = 8 * 2 * PAGE + 100;

    /** Of each of the eight statuses the way down an index, and two of its leaves. */
    private static final long MOST_BLOCKS = 8 * 5 + 10;

    private static final int RUNS = 12_000;
    private static final int TASKS = 6_000;
    private static final WorkflowId COMMON = new WorkflowId("common");
    private static final WorkflowId RARE = new WorkflowId("rare");

    private HikariDataSource pool;
    private RunReader runs;
    private HumanTaskReader tasks;

    /** Of who looks at the statistics, again and again. */
    private Connection statistics;

    /** The fields are filled before each test. */
    @SuppressWarnings("NullAway.Init")
    ListCostTest() {}

    @BeforeEach
    void fill() throws Exception {
        pool = Pools.api(config().withConnections(1, 1), Passwords.of(config()).api());
        runs = new PostgresRunReader(new Database(pool));
        tasks = new PostgresHumanTasks(new Database(pool));
        statistics = TestServer.admin(config());
        // Vacuum looks into every index of a table, and would be counted beside who asks.
        for (String table : List.of("runs", "run_counts", "run_count_changes", "human_tasks", "human_task_parties")) {
            admin("ALTER TABLE flowstone." + table + " SET (autovacuum_enabled = false)");
        }
        admin(
                """
                INSERT INTO flowstone.runs (tenant, run_id, slot, version, started_at, workflow, program, correlation,
                                            last_seq, last_hash, updated_at, ended_at, awake, status)
                SELECT 'acme', (lpad(to_hex(1750000000000 + i), 12, '0') || '7000a00000000000' || lpad(to_hex(mod(i, 97)), 4, '0'))::uuid, 0, 1,
                       now(), CASE WHEN i <= 30 THEN 'rare' ELSE 'common' END, sha256(''), '', 1, sha256(''), now(),
                       CASE WHEN i > 2000 THEN now() END, false,
                       CASE WHEN i BETWEEN 2001 AND 2003 THEN 'FAILED' WHEN i > 2000 THEN 'SUCCEEDED' ELSE 'RUNNING' END
                FROM generate_series(1, %s) AS i
                """.formatted(RUNS),
                """
                INSERT INTO flowstone.human_tasks (tenant, run_id, activation, slot, workflow, opened_at, assignees,
                                                   claimed_by, due_at, content)
                SELECT 'acme', (lpad(to_hex(1750000000000 + i), 12, '0') || '7000a000000000000000')::uuid, 'n#1', 0,
                       CASE WHEN i > %1$s - 3 THEN 'rare' ELSE 'common' END, now() + i * interval '1 second',
                       CASE WHEN i > %1$s - 3 THEN ARRAY['role:many', 'user:few'] ELSE ARRAY['role:many'] END,
                       CASE WHEN i > %1$s - 2 THEN 'user:few' END,
                       CASE WHEN i > %1$s - 2 THEN now() ELSE now() + interval '1 year' END, '{}'
                FROM generate_series(1, %1$s) AS i
                """.formatted(TASKS),
                "ANALYZE flowstone.runs, flowstone.human_tasks, flowstone.human_task_parties");
    }

    @AfterEach
    void done() throws SQLException {
        statistics.close();
        pool.close();
    }

    /** Rows read of tables and indexes by the one session that asks. */
    private long read() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            run(connection, "SELECT pg_stat_force_next_flush()");
            run(connection, "SELECT 1");
        }
        return number(statistics, """
                SELECT (SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_user_tables
                        WHERE relname IN ('runs', 'run_counts', 'run_count_changes', 'human_tasks', 'human_task_parties'))
                     + (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes
                        WHERE relname IN ('runs', 'run_counts', 'run_count_changes', 'human_tasks', 'human_task_parties'))
                """);
    }

    /**
     * Blocks of indexes that were looked at: a search that begins in the wrong place passes by entries that no row is read for, and that
     * nobody counts.
     */
    private long blocks() throws SQLException {
        return number(statistics, """
                SELECT sum(idx_blks_hit + idx_blks_read) FROM pg_statio_user_indexes
                WHERE relname IN ('runs', 'run_counts', 'run_count_changes', 'human_tasks', 'human_task_parties')
                """);
    }

    private void costs(String question, int found, Callable<? extends Collection<?>> asked) throws Exception {
        for (int i = 0; i < 8; i++) { // also with a statement that is prepared by now
            long before = read();
            long blocksBefore = blocks();
            assertEquals(found, asked.call().size(), question);
            long rows = read() - before;
            long blocks = blocks() - blocksBefore;
            assertTrue(rows <= MOST, () -> question + " read " + rows + " rows");
            assertTrue(blocks <= MOST_BLOCKS, () -> question + " looked at " + blocks + " blocks of indexes");
            assertTrue(found == 0 || rows > 0, () -> question + " was not seen");
        }
    }

    private void runs(int found, Optional<WorkflowId> workflow, RunStatus... statuses) throws Exception {
        RunFilter filter = new RunFilter(workflow, Set.of(statuses));
        costs(workflow + " " + List.of(statuses), found, () -> runs.runs(Moves.ACME, filter, Optional.empty(), PAGE));
    }

    @Test
    void aPageOfRunsReadsWhatItShows() throws Exception {
        pagesOfRuns();
    }

    private void pagesOfRuns() throws Exception {
        runs(PAGE, Optional.empty());
        runs(PAGE, Optional.of(COMMON));
        runs(PAGE, Optional.of(RARE));
        runs(PAGE, Optional.empty(), RunStatus.RUNNING);
        runs(PAGE, Optional.empty(), RunStatus.RUNNING, RunStatus.FAILING, RunStatus.CANCELING, RunStatus.COMPENSATING);
        runs(PAGE, Optional.empty(), RunStatus.SUCCEEDED);
        runs(3, Optional.empty(), RunStatus.FAILED);
        runs(0, Optional.empty(), RunStatus.CANCELED, RunStatus.TERMINATED);
        runs(0, Optional.of(RARE), RunStatus.FAILED);
        runs(PAGE, Optional.of(COMMON), RunStatus.RUNNING);
        runs(0, Optional.of(new WorkflowId("nowhere")), RunStatus.SUCCEEDED);
    }

    /** As right after a first wave of runs: whatever else there is, the planner doesn't know of, and every index seems as good as the key. */
    @Test
    void aPageOfRunsReadsWhatItShowsThoughStatisticsAreOld() throws Exception {
        String others = " FROM flowstone.runs WHERE status <> 'SUCCEEDED' OR workflow = 'rare'";
        admin(
                "CREATE TEMP TABLE others AS SELECT *" + others,
                "DELETE" + others,
                "ANALYZE flowstone.runs",
                "INSERT INTO flowstone.runs SELECT * FROM others");

        pagesOfRuns();
    }

    /** They leave entries behind under the status that they had, which a snapshot keeps. */
    @Test
    void aPageThatShowsRunsThatAreOverPassesByNothingThatManyOfThemLeftBehind() throws Exception {
        try (Connection snapshot = TestServer.admin(config())) {
            snapshot.setAutoCommit(false);
            snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            number(snapshot, "SELECT count(*) FROM flowstone.runs");
            admin("""
                    INSERT INTO flowstone.runs (tenant, run_id, slot, version, started_at, workflow, program, correlation,
                                                last_seq, last_hash, updated_at, awake, status)
                    SELECT tenant, (lpad(to_hex(1760000000000 + i), 12, '0') || '7000a000000000000000')::uuid, slot, version,
                           started_at, workflow, program, correlation, last_seq, last_hash, updated_at, true, 'RUNNING'
                    FROM generate_series(1, 2000) AS i
                    CROSS JOIN (SELECT * FROM flowstone.runs WHERE workflow = 'common' LIMIT 1) AS r
                    """, "UPDATE flowstone.runs SET status = 'SUCCEEDED', awake = false, ended_at = now() WHERE awake");

            runs(PAGE, Optional.of(COMMON));
            runs(PAGE, Optional.of(COMMON), RunStatus.SUCCEEDED, RunStatus.RUNNING);
            runs(PAGE, Optional.empty(), RunStatus.SUCCEEDED, RunStatus.RUNNING);
            snapshot.rollback();
        }
    }

    @Test
    void countsReadOneRowForEachGroup() throws Exception {
        admin("INSERT INTO flowstone.run_counts SELECT tenant, workflow, status, -1, count(*) FROM flowstone.runs"
                + " GROUP BY tenant, workflow, status");

        costs("counts", 4, () -> runs.counts(Moves.ACME, Optional.empty()).groups());
        costs(
                "counts of one",
                3,
                () -> runs.counts(Moves.ACME, Optional.of(COMMON)).groups());
    }

    private void tasks(int found, HumanTaskFilter filter) throws Exception {
        costs(filter.toString(), found, () -> tasks.tasks(Moves.ACME, filter, Optional.empty(), PAGE));
    }

    @Test
    void aPageOfHumanTasksReadsWhatItShows() throws Exception {
        pagesOfTasks();
    }

    @Test
    void aPageOfHumanTasksReadsWhatItShowsThoughStatisticsAreOld() throws Exception {
        String others = " FROM flowstone.human_tasks WHERE workflow = 'rare'";
        admin(
                "CREATE TEMP TABLE others AS SELECT *" + others,
                "DELETE" + others,
                "ANALYZE flowstone.human_tasks, flowstone.human_task_parties",
                "INSERT INTO flowstone.human_tasks SELECT * FROM others");

        pagesOfTasks();
    }

    private void pagesOfTasks() throws Exception {
        HumanTaskFilter all = HumanTaskFilter.ALL;
        Instant soon = Instant.now().plusSeconds(600);

        tasks(PAGE, all);
        tasks(3, all.ofWorkflow(RARE));
        tasks(2, all.claimed("user:few"));
        tasks(0, all.claimed("user:nobody"));
        tasks(2, all.due(soon));
        tasks(PAGE, all.asking(Set.of("role:many")));
        tasks(3, all.asking(Set.of("user:few", "role:none")));
        tasks(0, all.asking(Set.of("user:nobody")));
        tasks(PAGE, all.asking(Set.of("role:many", "user:few")).free("user:nobody"));
        tasks(3, all.asking(Set.of("role:many")).ofWorkflow(RARE));
        tasks(1, all.asking(Set.of("role:many")).ofWorkflow(RARE).free("user:nobody"));
    }
}
