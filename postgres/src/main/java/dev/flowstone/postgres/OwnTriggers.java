package dev.flowstone.postgres;

import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.workflow.OwnTrigger;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Triggers that definitions declare: replaced in the transaction that makes a version the current one. */
final class OwnTriggers {
    private OwnTriggers() {}

    /** Those that were off are remembered. */
    private static final String DROP = """
            WITH gone AS (
                DELETE FROM flowstone.triggers
                WHERE tenant = ? AND workflow = ? AND origin = 'definition' AND id <> ALL (?::uuid[])
                RETURNING tenant, id, enabled
            )
            INSERT INTO flowstone.triggers_off (tenant, trigger_id)
            SELECT g.tenant, g.id FROM gone g WHERE NOT g.enabled
            ON CONFLICT DO NOTHING
            """;

    /** It is told by the triggers themselves from then on. */
    private static final String FORGET =
            "DELETE FROM flowstone.triggers_off WHERE tenant = ? AND trigger_id = ANY (?::uuid[]) RETURNING trigger_id";

    /** One that is as it was isn't touched; a new one has no transaction that has updated it. */
    private static final String PUT = """
            INSERT INTO flowstone.triggers AS t (tenant, id, workflow, kind, origin, enabled, config, condition, revision, created_at,
                                                 created_by, changed_at, changed_by)
            VALUES (?, ?, ?, ?, 'definition', ?, ?, ?, 1, clock_timestamp(), ?, clock_timestamp(), ?)
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
        List<TriggerKey> keys =
                triggers.stream().map(it -> key(row.tenant(), row.id(), it)).toList();
        try (PreparedStatement drop = connection.prepareStatement(DROP)) {
            drop.setString(1, row.tenant().value());
            drop.setString(2, row.id().value());
            drop.setObject(3, BinaryArray.uuids(keys, key -> key.id().value()));
            drop.executeUpdate();
        }
        Set<TriggerId> off = off(connection, row, keys);
        for (int i = 0; i < keys.size(); i++) {
            List<Long> revision = put(
                    connection,
                    row,
                    keys.get(i),
                    triggers.get(i),
                    off.contains(keys.get(i).id()));
            if (!revision.isEmpty()) {
                boolean isNew = revision.contains(1L);
                TriggerChanges.listen(connection, keys.get(i), triggers.get(i).config(), heads, isNew);
            }
        }
    }

    /** Which of them were off when they went; it is forgotten. */
    private static Set<TriggerId> off(Connection connection, WorkflowRow row, List<TriggerKey> keys)
            throws SQLException {
        return Set.copyOf(Database.query(
                connection,
                FORGET,
                forget -> {
                    forget.setString(1, row.tenant().value());
                    forget.setObject(2, BinaryArray.uuids(keys, key -> key.id().value()));
                },
                forgotten -> new TriggerId(forgotten.getObject(1, UUID.class))));
    }

    /** The revision that it has now; nothing if it is as it was. */
    private static List<Long> put(
            Connection connection, WorkflowRow row, TriggerKey key, OwnTrigger trigger, boolean off)
            throws SQLException {
        return Database.query(
                connection,
                PUT,
                put -> {
                    int bound = TriggerRows.key(put, key, 0);
                    put.setString(++bound, row.id().value());
                    put.setString(++bound, TriggerKind.EVENT.stored());
                    put.setBoolean(++bound, !off);
                    put.setBytes(++bound, Json.write(trigger.config()));
                    put.setString(++bound, trigger.condition().orElse(null));
                    put.setString(++bound, Actor.ENGINE.toString());
                    put.setString(++bound, Actor.ENGINE.toString());
                },
                written -> written.getLong(1));
    }

    private static final String THERE = """
            SELECT id, config, condition FROM flowstone.triggers
            WHERE tenant = ? AND workflow = ? AND origin = 'definition'
            """;

    /** What makes one what it is. */
    private record Is(TriggerId id, JsonObject config, Optional<String> condition) {}

    /** Whether the workflow has these, and no others of its own. */
    static boolean are(Connection connection, TenantId tenant, WorkflowId workflow, List<OwnTrigger> triggers)
            throws SQLException {
        Set<Is> wanted = triggers.stream()
                .map(it -> new Is(key(tenant, workflow, it).id(), it.config(), it.condition()))
                .collect(Collectors.toSet());
        List<Is> there = Database.query(
                connection,
                THERE,
                query -> {
                    query.setString(1, tenant.value());
                    query.setString(2, workflow.value());
                },
                row -> new Is(
                        new TriggerId(row.getObject(1, UUID.class)),
                        Json.read(row.getBytes(2)),
                        Optional.ofNullable(row.getString(3))));
        return wanted.equals(Set.copyOf(there));
    }

    /** The same for each version that has one of this name. */
    private static TriggerKey key(TenantId tenant, WorkflowId workflow, OwnTrigger trigger) {
        return new TriggerKey(tenant, TriggerId.named("declared\0" + tenant + "\0" + workflow + "\0" + trigger.name()));
    }
}
