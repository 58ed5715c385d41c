package dev.flowstone.postgres;

import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.OwnTrigger;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.kernel.command.Actor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Triggers that definitions declare: replaced in the transaction that makes a version the current one. */
final class OwnTriggers {
    private OwnTriggers() {}

    private static final String DROP = """
            DELETE FROM flowstone.triggers
            WHERE tenant = ? AND workflow = ? AND origin = 'definition' AND id <> ALL (?::uuid[])
            """;

    /** One that is as it was isn't touched; a new one has no transaction that has updated it. */
    private static final String PUT = """
            INSERT INTO flowstone.triggers AS t (tenant, id, workflow, kind, origin, enabled, config, condition, revision, created_at,
                                                 created_by, changed_at, changed_by)
            VALUES (?, ?, ?, ?, 'definition', true, ?, ?, 1, clock_timestamp(), ?, clock_timestamp(), ?)
            ON CONFLICT (tenant, id) DO UPDATE
            SET config = EXCLUDED.config, condition = EXCLUDED.condition, revision = t.revision + 1,
                changed_at = EXCLUDED.changed_at, changed_by = EXCLUDED.changed_by
            WHERE (t.config, t.condition) IS DISTINCT FROM (EXCLUDED.config, EXCLUDED.condition)
            RETURNING t.revision
            """;

    /**
     * Has the workflow have these, and no others of its own.
     *
     * @param heads behind which rows of the feed new ones listen
     */
    static void replace(Connection connection, WorkflowRow row, List<OwnTrigger> triggers, Map<Integer, Long> heads)
            throws SQLException {
        List<TriggerKey> keys = triggers.stream().map(it -> key(row, it)).toList();
        try (PreparedStatement drop = connection.prepareStatement(DROP)) {
            drop.setString(1, row.tenant().value());
            drop.setString(2, row.id().value());
            drop.setObject(3, BinaryArray.uuids(keys, key -> key.id().value()));
            drop.executeUpdate();
        }
        for (int i = 0; i < keys.size(); i++) {
            if (isNew(connection, row, keys.get(i), triggers.get(i))) {
                TriggerChanges.listen(connection, keys.get(i), heads);
            }
        }
    }

    private static boolean isNew(Connection connection, WorkflowRow row, TriggerKey key, OwnTrigger trigger)
            throws SQLException {
        return Database.query(
                        connection,
                        PUT,
                        put -> {
                            int bound = TriggerRows.key(put, key, 0);
                            put.setString(++bound, row.id().value());
                            put.setString(++bound, TriggerKind.EVENT.stored());
                            put.setBytes(++bound, Json.write(trigger.config()));
                            put.setString(++bound, trigger.condition().orElse(null));
                            put.setString(++bound, Actor.ENGINE.toString());
                            put.setString(++bound, Actor.ENGINE.toString());
                        },
                        written -> written.getLong(1))
                .contains(1L);
    }

    /** The same for each version that has one of this name. */
    private static TriggerKey key(WorkflowRow row, OwnTrigger trigger) {
        return new TriggerKey(
                row.tenant(), TriggerId.named("declared\0" + row.tenant() + "\0" + row.id() + "\0" + trigger.name()));
    }
}
