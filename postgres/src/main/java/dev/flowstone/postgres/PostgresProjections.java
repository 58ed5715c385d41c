package dev.flowstone.postgres;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.mend.Correction;
import dev.flowstone.engine.mend.Difference;
import dev.flowstone.engine.mend.Projection;
import dev.flowstone.engine.mend.Projections;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One run's rows, read and written as the engine's role; for operators, one run at a time. */
final class PostgresProjections implements Projections {
    private final Database engine;

    PostgresProjections(Database engine) {
        this.engine = engine;
    }

    private record Head(
            WorkflowId workflow, long lastSequence, RunStatus status, boolean awake, Optional<Instant> endedAt) {}

    private static final String HEAD = """
            SELECT workflow, last_seq, status, awake, ended_at FROM flowstone.runs WHERE tenant = ? AND run_id = ?
            """;

    private static final String TIMERS = """
            SELECT timer_id, generation, due_at FROM flowstone.timers WHERE tenant = ? AND run_id = ?
            """;

    /** With the parties that lists find it by, which are not those that it says if one of their rows is missing. */
    private static final String TASKS = """
            SELECT t.activation, t.opened_at, t.claimed_by, t.due_at, t.content,
                   ARRAY(SELECT a.party
                         FROM unnest(t.assignees) AS a (party)
                         JOIN flowstone.human_task_parties p
                             ON p.tenant = t.tenant AND p.party = a.party AND p.opened_at = t.opened_at
                            AND p.run_id = t.run_id AND p.activation = t.activation
                            AND p.claimed_by IS NOT DISTINCT FROM t.claimed_by
                            AND p.due_at IS NOT DISTINCT FROM t.due_at)
            FROM flowstone.human_tasks t
            WHERE t.tenant = ? AND t.run_id = ?
            """;

    private static final String SNAPSHOT = """
            SELECT seq, bytes FROM flowstone.snapshots WHERE tenant = ? AND run_id = ?
            """;

    @Override
    public Optional<Projection> read(RunKey run) throws JournalException {
        return engine.read(connection -> {
            Database.Binding key = statement -> bind(statement, run);
            List<Head> before = Database.query(connection, HEAD, key, PostgresProjections::head);
            if (before.isEmpty()) {
                return Optional.empty();
            }
            List<TimerRow> timers = Database.query(
                    connection,
                    TIMERS,
                    key,
                    row -> new TimerRow(run, new TimerId(row.getString(1)), row.getInt(2), Times.instant(row, 3)));
            List<HumanTaskRow> tasks = Database.query(connection, TASKS, key, PostgresProjections::task);
            List<Snapshot> snapshot =
                    Database.query(connection, SNAPSHOT, key, row -> new Snapshot(row.getLong(1), row.getBytes(2)));
            // Every commit that changes one of these rows moves the head.
            if (!Database.query(connection, HEAD, key, PostgresProjections::head)
                    .equals(before)) {
                return Optional.empty();
            }
            Head head = before.getFirst();
            return Optional.of(new Projection(
                    run,
                    head.workflow(),
                    head.lastSequence(),
                    head.status(),
                    head.awake(),
                    head.endedAt(),
                    timers,
                    tasks,
                    snapshot.stream().findFirst()));
        });
    }

    private static Head head(ResultSet row) throws SQLException {
        return new Head(
                new WorkflowId(row.getString(1)),
                row.getLong(2),
                RunStatus.valueOf(row.getString(3)),
                row.getBoolean(4),
                Times.optional(row, 5));
    }

    private static HumanTaskRow task(ResultSet row) throws SQLException {
        return new HumanTaskRow(
                ActivationId.parse(row.getString(1)),
                Times.instant(row, 2),
                List.of((String[]) row.getArray(6).getArray()),
                Optional.ofNullable(row.getString(3)),
                Times.optional(row, 4),
                content(row.getString(5)));
    }

    /** What is no JSON any more is as good as nothing: it is compared, not used. */
    private static JsonObject content(String text) {
        try {
            return JsonParser.parse(BinaryArray.utf8(text), JsonLimits.STORED) instanceof JsonObject object
                    ? object
                    : JsonObject.EMPTY;
        } catch (JsonSyntaxException e) {
            return JsonObject.EMPTY;
        }
    }

    private static final String FENCE = """
            SELECT FROM flowstone.epochs WHERE shard = ? AND epoch = ? AND holder = ? FOR SHARE
            """;

    private static final String LOCK = """
            SELECT last_seq FROM flowstone.runs
            WHERE tenant = ? AND run_id = ? AND slot BETWEEN ? AND ? FOR UPDATE
            """;

    @Override
    public boolean correct(Lease lease, Correction correction) throws JournalException {
        Projection rows = correction.rows();
        boolean[] stale = new boolean[1];
        boolean written = engine.transaction(connection -> {
            stale[0] = Database.query(connection, FENCE, it -> Fence.bind(it, 1, lease), row -> true)
                    .isEmpty();
            if (stale[0] || !isUnmoved(connection, lease, rows)) {
                return false;
            }
            if (correction.touches(Difference.Part.HEAD)) {
                writeHead(connection, rows);
            }
            if (correction.touches(Difference.Part.TIMERS)) {
                writeTimers(connection, rows);
            }
            if (correction.touches(Difference.Part.TASKS)) {
                writeTasks(connection, rows);
            }
            if (correction.touches(Difference.Part.SNAPSHOT) && rows.snapshot().isPresent()) {
                writeSnapshot(connection, rows.run(), rows.snapshot().get());
            }
            return true;
        });
        if (stale[0]) {
            throw Fence.stale(lease);
        }
        return written;
    }

    private static boolean isUnmoved(Connection connection, Lease lease, Projection rows) throws SQLException {
        return Database.query(
                        connection,
                        LOCK,
                        it -> {
                            bind(it, rows.run());
                            it.setInt(3, lease.shard().firstSlot());
                            it.setInt(4, lease.shard().lastSlot());
                        },
                        row -> row.getLong(1))
                .equals(List.of(rows.lastSequence()));
    }

    private static final String WRITE_HEAD = """
            UPDATE flowstone.runs SET status = ?, awake = ?, ended_at = ? WHERE tenant = ? AND run_id = ?
            """;

    /** How many runs are in which status is counted from what commits say, and so is right already. */
    private static void writeHead(Connection connection, Projection rows) throws SQLException {
        change(connection, WRITE_HEAD, it -> {
            it.setString(1, rows.status().name());
            it.setBoolean(2, rows.awake());
            it.setObject(3, rows.endedAt().map(Times::parameter).orElse(null));
            bind(it, 4, rows.run());
        });
    }

    private static final String FORGET_TIMERS = "DELETE FROM flowstone.timers WHERE tenant = ? AND run_id = ?";

    private static final String WRITE_TIMERS = """
            INSERT INTO flowstone.timers (tenant, run_id, slot, timer_id, generation, due_at)
            SELECT ?, ?, ?, u.timer_id, u.generation, u.due_at
            FROM unnest(?, ?, ?) AS u (timer_id, generation, due_at)
            """;

    private static void writeTimers(Connection connection, Projection rows) throws SQLException {
        change(connection, FORGET_TIMERS, it -> bind(it, rows.run()));
        change(connection, WRITE_TIMERS, it -> {
            bind(it, rows.run());
            it.setInt(3, rows.run().run().slot().number());
            it.setObject(4, BinaryArray.texts(rows.timers(), row -> row.timer().value()));
            it.setObject(5, BinaryArray.ints(rows.timers(), TimerRow::generation));
            it.setObject(6, BinaryArray.times(rows.timers(), row -> Times.notBefore(row.dueAt())));
        });
    }

    /** Triggers keep the parties. */
    private static final String FORGET_TASKS = "DELETE FROM flowstone.human_tasks WHERE tenant = ? AND run_id = ?";

    /** Of a task whose row was deleted without its trigger. */
    private static final String FORGET_PARTY = """
            DELETE FROM flowstone.human_task_parties
            WHERE tenant = ? AND run_id = ? AND party = ? AND opened_at = ? AND activation = ?
            """;

    private static final String WRITE_TASK = """
            INSERT INTO flowstone.human_tasks
                (tenant, run_id, slot, workflow, activation, opened_at, assignees, claimed_by, due_at, content)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static void writeTasks(Connection connection, Projection rows) throws SQLException {
        change(connection, FORGET_TASKS, it -> bind(it, rows.run()));
        for (HumanTaskRow task : rows.tasks()) {
            for (String party : task.assignees()) {
                change(connection, FORGET_PARTY, it -> {
                    bind(it, rows.run());
                    it.setString(3, party);
                    it.setObject(4, Times.parameter(task.openedAt()));
                    it.setString(5, task.activation().toString());
                });
            }
            change(connection, WRITE_TASK, it -> {
                bind(it, rows.run());
                it.setInt(3, rows.run().run().slot().number());
                it.setString(4, rows.workflow().value());
                it.setString(5, task.activation().toString());
                it.setObject(6, Times.parameter(task.openedAt()));
                it.setObject(7, BinaryArray.texts(task.assignees(), party -> party));
                it.setString(8, task.claimedBy().orElse(null));
                it.setObject(9, task.dueAt().map(Times::parameter).orElse(null));
                it.setString(10, CanonicalJson.exactText(task.content()));
            });
        }
    }

    private static final String WRITE_SNAPSHOT = """
            INSERT INTO flowstone.snapshots (tenant, run_id, seq, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (tenant, run_id) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes
            """;

    private static void writeSnapshot(Connection connection, RunKey run, Snapshot snapshot) throws SQLException {
        change(connection, WRITE_SNAPSHOT, it -> {
            bind(it, run);
            it.setLong(3, snapshot.sequence());
            it.setBytes(4, snapshot.bytes());
        });
    }

    private static void change(Connection connection, String sql, Database.Binding binding) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(statement);
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, RunKey run) throws SQLException {
        bind(statement, 1, run);
    }

    private static void bind(PreparedStatement statement, int first, RunKey run) throws SQLException {
        statement.setString(first, run.tenant().value());
        statement.setObject(first + 1, run.run().value());
    }
}
