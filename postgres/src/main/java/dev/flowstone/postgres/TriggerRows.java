package dev.flowstone.postgres;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.Trigger.Mark;
import dev.flowstone.engine.trigger.Trigger.Target;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Rows of triggers as they are read, each with the state of its workflow. */
final class TriggerRows {
    /** For {@link #trigger}. */
    static final String COLUMNS =
            "t.tenant, t.id, t.revision, t.workflow, w.status, w.enabled, t.kind, t.enabled, t.config,"
                    + " t.condition, t.created_at, t.created_by, t.changed_at, t.changed_by,"
                    + " (SELECT count(*) FROM flowstone.trigger_secrets s WHERE s.tenant = t.tenant AND s.trigger_id = t.id)";

    static final int BEHIND = 15;

    static final String FROM = """

            FROM flowstone.triggers t
            JOIN flowstone.workflows w ON w.tenant = t.tenant AND w.workflow = t.workflow
            """;

    private static final String FIND = "SELECT " + COLUMNS + FROM + "WHERE t.tenant = ? AND t.id = ?";

    private TriggerRows() {}

    static Optional<Trigger> find(Connection connection, TriggerKey key) throws SQLException {
        return Database.query(connection, FIND, query -> key(query, key, 0), TriggerRows::trigger).stream()
                .findFirst();
    }

    static Trigger trigger(ResultSet row) throws SQLException {
        return new Trigger(
                new TriggerKey(new TenantId(row.getString(1)), new TriggerId(row.getObject(2, UUID.class))),
                row.getLong(3),
                new Target(
                        new WorkflowId(row.getString(4)), WorkflowStatus.valueOf(row.getString(5)), row.getBoolean(6)),
                TriggerKind.ofStored(row.getString(7)),
                row.getBoolean(8),
                Json.read(row.getBytes(9)),
                row.getInt(15),
                Optional.ofNullable(row.getString(10)),
                new Mark(Times.instant(row, 11), Actor.parse(row.getString(12))),
                new Mark(Times.instant(row, 13), Actor.parse(row.getString(14))));
    }

    /** Binds a tenant and an id behind so many parameters; answers how many are bound then. */
    static int key(PreparedStatement statement, TriggerKey key, int before) throws SQLException {
        statement.setString(before + 1, key.tenant().value());
        statement.setObject(before + 2, key.id().value());
        return before + 2;
    }
}
