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

    /** Along the index by time and run; the activation's order is that of its bytes, whatever the database's collation. */
    private static final String TASKS = """
            SELECT run_id, workflow, activation, opened_at, assignees, claimed_by, due_at, content
            FROM flowstone.human_tasks
            WHERE tenant = ?
              AND (opened_at, run_id) >= (?, ?)
              AND ((opened_at, run_id) > (?, ?) OR activation COLLATE "C" > ?)
              AND (?::uuid IS NULL OR run_id = ?)
              AND (?::text IS NULL OR workflow = ?)
              AND (cardinality(?::text[]) = 0 OR assignees && ?)
              AND (?::text IS NULL OR claimed_by = ?)
              AND (?::text IS NULL OR claimed_by IS NULL OR claimed_by = ?)
              AND (?::timestamptz IS NULL OR due_at < ?)
            ORDER BY opened_at, run_id, activation COLLATE "C"
            LIMIT ?
            """;

    @Override
    public List<OpenTask> tasks(TenantId tenant, HumanTaskFilter filter, Optional<HumanTaskPlace> after, int limit)
            throws JournalException {
        BinaryArray assignees = BinaryArray.texts(List.copyOf(filter.assignees()), party -> party);
        OffsetDateTime opened =
                Times.parameter(after.map(HumanTaskPlace::openedAt).orElse(Instant.EPOCH));
        UUID run = after.map(place -> place.run().value()).orElse(BEFORE_ALL);
        UUID ofRun = filter.run().map(RunId::value).orElse(null);
        OffsetDateTime due = filter.dueBefore().map(Times::parameter).orElse(null);
        return api.queryAsTenant(
                tenant,
                TASKS,
                query -> {
                    int bound = 0;
                    query.setString(++bound, tenant.value());
                    query.setObject(++bound, opened);
                    query.setObject(++bound, run);
                    query.setObject(++bound, opened);
                    query.setObject(++bound, run);
                    query.setString(
                            ++bound,
                            after.map(place -> place.activation().toString()).orElse(""));
                    query.setObject(++bound, ofRun);
                    query.setObject(++bound, ofRun);
                    query.setString(
                            ++bound, filter.workflow().map(WorkflowId::value).orElse(null));
                    query.setString(
                            ++bound, filter.workflow().map(WorkflowId::value).orElse(null));
                    query.setObject(++bound, assignees);
                    query.setObject(++bound, assignees);
                    for (Optional<String> text : List.of(filter.claimedBy(), filter.freeFor())) {
                        query.setString(++bound, text.orElse(null));
                        query.setString(++bound, text.orElse(null));
                    }
                    query.setObject(++bound, due);
                    query.setObject(++bound, due);
                    query.setInt(++bound, limit);
                },
                row -> open(tenant, row));
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
