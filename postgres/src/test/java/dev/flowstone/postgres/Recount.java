package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.read.RunCounts;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What commits have counted and whom human tasks ask, compared with the rows that it is told from. */
public final class Recount {
    private static final String RUNS = """
            SELECT tenant, workflow, status, count(*) FROM flowstone.runs
            WHERE run_id >= '00000000-0002-0000-0000-000000000000'
            GROUP BY tenant, workflow, status
            """;

    private static final String WRONG_PARTIES = """
            WITH told AS (
                SELECT DISTINCT tenant, unnest(assignees) AS party, opened_at, run_id, activation, workflow, claimed_by, due_at
                FROM flowstone.human_tasks
            ), kept AS (
                SELECT tenant, party, opened_at, run_id, activation, workflow, claimed_by, due_at
                FROM flowstone.human_task_parties
            )
            SELECT count(*) FROM ((TABLE told EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE told)) AS wrong
            """;

    private Recount() {}

    /** While nobody commits. */
    public static void assertRight(PostgresConfig database, Ports ports) throws Exception {
        Map<TenantId, List<RunCounts.Group>> recounted = new TreeMap<>(Comparator.comparing(TenantId::value));
        try (Connection connection = TestServer.admin(database);
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery(RUNS)) {
                while (row.next()) {
                    recounted
                            .computeIfAbsent(new TenantId(row.getString(1)), _ -> new ArrayList<>())
                            .add(new RunCounts.Group(
                                    new WorkflowId(row.getString(2)),
                                    RunStatus.valueOf(row.getString(3)),
                                    row.getLong(4)));
                }
            }
            try (ResultSet row = statement.executeQuery("SELECT DISTINCT tenant FROM flowstone.run_counts")) {
                while (row.next()) {
                    recounted.computeIfAbsent(new TenantId(row.getString(1)), _ -> new ArrayList<>());
                }
            }
            try (ResultSet row = statement.executeQuery(WRONG_PARTIES)) {
                row.next();
                assertEquals(0, row.getLong(1), "rows of parties that are wrong");
            }
        }
        for (Map.Entry<TenantId, List<RunCounts.Group>> tenant : recounted.entrySet()) {
            RunCounts counts = ports.runs().counts(tenant.getKey(), Optional.empty());
            assertEquals(sorted(tenant.getValue()), sorted(counts.groups()), () -> "of " + tenant.getKey());
        }
    }

    private static List<String> sorted(List<RunCounts.Group> groups) {
        return groups.stream().map(RunCounts.Group::toString).sorted().toList();
    }
}
