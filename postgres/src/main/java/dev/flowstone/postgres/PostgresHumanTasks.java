package dev.flowstone.postgres;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.HumanTaskPlace;
import dev.flowstone.engine.read.HumanTaskReader;
import dev.flowstone.engine.read.OpenTask;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads open human tasks as the API's role, which sees one tenant in each transaction. */
final class PostgresHumanTasks implements HumanTaskReader {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Database api;

    PostgresHumanTasks(Database api) {
        this.api = api;
    }

    /** Begins at a place, along an index by time and run; the activation's order is that of its bytes, whatever the collation. */
    private static final String ADMITTED = """
            WHERE tenant = ?
              AND (opened_at, run_id) >= (?, ?)
              AND ((opened_at, run_id) > (?, ?) OR activation COLLATE "C" > ?)
              AND (?::uuid IS NULL OR run_id = ?)
              AND (?::text IS NULL OR workflow = ?)
              AND (?::text IS NULL OR claimed_by = ?)
              AND (?::text IS NULL OR claimed_by IS NULL OR claimed_by = ?)
              AND (?::timestamptz IS NULL OR due_at < ?)
            """;

    private static final String ORDERED = """
            ORDER BY opened_at, run_id, activation COLLATE "C"
            LIMIT ?
            """;

    private static final String TASKS = """
            SELECT run_id, workflow, activation, opened_at, assignees, claimed_by, due_at, content
            FROM flowstone.human_tasks
            """ + ADMITTED + """
              AND (cardinality(?::text[]) = 0 OR assignees && ?)
            """ + ORDERED;

    /** By the rows of each party, which stand in the order of lists; a task that asks several of them is there once. */
    private static final String TASKS_OF_PARTIES = """
            WITH place AS (
                SELECT DISTINCT p.opened_at, p.run_id, p.activation
                FROM unnest(?::text[]) AS a (party)
                CROSS JOIN LATERAL (
                    SELECT opened_at, run_id, activation
                    FROM (SELECT * FROM flowstone.human_task_parties WHERE party = a.party) AS of_party
            """ + ADMITTED + ORDERED + """
                ) AS p
            )
            SELECT t.run_id, t.workflow, t.activation, t.opened_at, t.assignees, t.claimed_by, t.due_at, t.content
            FROM (SELECT * FROM place ORDER BY opened_at, run_id, activation COLLATE "C" LIMIT ?) AS first
            JOIN flowstone.human_tasks t
                ON t.tenant = ? AND t.run_id = first.run_id AND t.activation = first.activation
            ORDER BY t.opened_at, t.run_id, t.activation COLLATE "C"
            """;

    /** What one run has, or one person has claimed, is little: it needs no look at whom else it asks. */
    @Override
    public List<OpenTask> tasks(TenantId tenant, HumanTaskFilter filter, Optional<HumanTaskPlace> after, int limit)
            throws JournalException {
        BinaryArray parties = BinaryArray.texts(List.copyOf(filter.assignees()), party -> party);
        boolean byParty = !filter.assignees().isEmpty()
                && filter.run().isEmpty()
                && filter.claimedBy().isEmpty();
        return api.searchAsTenant(
                tenant,
                byParty ? TASKS_OF_PARTIES : TASKS,
                query -> {
                    int bound = 0;
                    if (byParty) {
                        query.setObject(++bound, parties);
                    }
                    bound = admitted(query, bound, tenant, filter, after);
                    if (byParty) {
                        query.setInt(++bound, limit);
                        query.setInt(++bound, limit);
                        query.setString(++bound, tenant.value());
                    } else {
                        query.setObject(++bound, parties);
                        query.setObject(++bound, parties);
                        query.setInt(++bound, limit);
                    }
                },
                row -> open(tenant, row));
    }

    private static int admitted(
            PreparedStatement query,
            int before,
            TenantId tenant,
            HumanTaskFilter filter,
            Optional<HumanTaskPlace> after)
            throws SQLException {
        OffsetDateTime opened =
                Times.parameter(after.map(HumanTaskPlace::openedAt).orElse(Instant.EPOCH));
        UUID run = after.map(place -> place.run().value()).orElse(BEFORE_ALL);
        UUID ofRun = filter.run().map(RunId::value).orElse(null);
        OffsetDateTime due = filter.dueBefore().map(Times::parameter).orElse(null);
        int bound = before;
        query.setString(++bound, tenant.value());
        query.setObject(++bound, opened);
        query.setObject(++bound, run);
        query.setObject(++bound, opened);
        query.setObject(++bound, run);
        query.setString(
                ++bound, after.map(place -> place.activation().toString()).orElse(""));
        query.setObject(++bound, ofRun);
        query.setObject(++bound, ofRun);
        for (Optional<String> text :
                List.of(filter.workflow().map(WorkflowId::value), filter.claimedBy(), filter.freeFor())) {
            query.setString(++bound, text.orElse(null));
            query.setString(++bound, text.orElse(null));
        }
        query.setObject(++bound, due);
        query.setObject(++bound, due);
        return bound;
    }

    private static OpenTask open(TenantId tenant, ResultSet row) throws SQLException {
        return new OpenTask(
                new RunKey(tenant, new RunId(row.getObject(1, UUID.class))),
                new WorkflowId(row.getString(2)),
                new HumanTaskRow(
                        ActivationId.parse(row.getString(3)),
                        Times.instant(row, 4),
                        texts(row.getArray(5)),
                        Optional.ofNullable(text(row, 6)),
                        Times.optional(row, 7),
                        content(row.getString(8))));
    }

    private static @Nullable String text(ResultSet row, int column) throws SQLException {
        return row.getString(column);
    }

    private static List<String> texts(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }

    private static JsonObject content(String text) {
        try {
            return (JsonObject) JsonParser.parse(BinaryArray.utf8(text), JsonLimits.STORED);
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("a stored human task is JSON", e);
        }
    }
}
