package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.EventTriggers;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSecret;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Triggers for people as the API's role, each call in its tenant's transaction; what lets deliveries in as the engine's. */
final class PostgresTriggers implements Triggers {
    private static final UUID FIRST = new UUID(0, 0);

    private final Database engine;
    private final Database api;
    private final TriggerChanges changes;
    private final TriggerDeliveries deliveries;
    private final TriggerSchedules schedules;
    private final PostgresEventTriggers events;

    PostgresTriggers(Database engine, Database api) {
        this.engine = engine;
        this.api = api;
        this.changes = new TriggerChanges(api);
        this.deliveries = new PostgresTriggerDeliveries(engine, api);
        this.schedules = new PostgresTriggerSchedules(engine);
        this.events = new PostgresEventTriggers(engine);
    }

    @Override
    public TriggerDeliveries deliveries() {
        return deliveries;
    }

    @Override
    public TriggerSchedules schedules() {
        return schedules;
    }

    @Override
    public EventTriggers events() {
        return events;
    }

    private static final String LIST = "SELECT " + TriggerRows.COLUMNS + TriggerRows.FROM + """
            WHERE t.tenant = ? AND t.id > ?
              AND (?::text IS NULL OR t.workflow = ?)
              AND (?::text IS NULL OR t.kind = ?)
              AND (?::boolean IS NULL OR (t.enabled AND w.enabled AND w.status = 'ACTIVE') = ?)
            ORDER BY t.id
            LIMIT ?
            """;

    @Override
    public List<Trigger> list(TenantId tenant, Filter filter, Optional<TriggerId> after, int limit)
            throws JournalException {
        return api.searchAsTenant(
                tenant,
                LIST,
                query -> {
                    query.setString(1, tenant.value());
                    query.setObject(2, after.map(TriggerId::value).orElse(FIRST));
                    for (int i = 3; i <= 4; i++) {
                        query.setString(
                                i, filter.workflow().map(WorkflowId::value).orElse(null));
                    }
                    for (int i = 5; i <= 6; i++) {
                        query.setString(
                                i, filter.kind().map(TriggerKind::stored).orElse(null));
                    }
                    for (int i = 7; i <= 8; i++) {
                        query.setObject(i, filter.fires().orElse(null), Types.BOOLEAN);
                    }
                    query.setInt(9, limit);
                },
                TriggerRows::trigger);
    }

    @Override
    public Optional<Trigger> find(TriggerKey key) throws JournalException {
        return api.asTenant(key.tenant(), connection -> TriggerRows.find(connection, key));
    }

    @Override
    public Change create(
            TriggerKey key,
            WorkflowId workflow,
            TriggerKind kind,
            boolean enabled,
            Wish wish,
            Optional<Request> request,
            Actor by)
            throws JournalException {
        Map<Integer, Long> heads = kind == TriggerKind.EVENT ? events.heads() : Map.of();
        return changes.create(key, workflow, kind, enabled, wish, request, by, heads);
    }

    @Override
    public Change update(TriggerKey key, Optional<Boolean> enabled, Wish wish, OptionalLong expected, Actor by)
            throws JournalException {
        return changes.update(
                key,
                enabled,
                wish,
                expected,
                by,
                heads(enabled.orElse(false) || PostgresEventTriggers.hearsEngine(wish.config())));
    }

    @Override
    public Change enable(TriggerKey key, boolean enabled, OptionalLong expected, Actor by) throws JournalException {
        return changes.enable(key, enabled, expected, by, heads(enabled));
    }

    /** Behind which rows of the feed one listens that begins now. */
    private Map<Integer, Long> heads(boolean begins) throws JournalException {
        return begins ? events.heads() : Map.of();
    }

    @Override
    public Change remove(TriggerKey key, OptionalLong expected) throws JournalException {
        return changes.remove(key, expected);
    }

    private static final String ARMED =
            "SELECT " + TriggerRows.COLUMNS + """
            , ARRAY(SELECT s.secret FROM flowstone.trigger_secrets s
                    WHERE s.tenant = t.tenant AND s.trigger_id = t.id ORDER BY s.place)
            """ + TriggerRows.FROM + "WHERE t.id = ANY (?::uuid[])";

    @Override
    public List<Armed> armed(List<TriggerId> ids) throws JournalException {
        return engine.query(
                ARMED, query -> query.setObject(1, BinaryArray.uuids(ids, TriggerId::value)), PostgresTriggers::armed);
    }

    private static Armed armed(ResultSet row) throws SQLException {
        Object[] secrets = (Object[]) row.getArray(TriggerRows.BEHIND + 1).getArray();
        return new Armed(
                TriggerRows.trigger(row),
                Arrays.stream(secrets)
                        .map(secret -> new TriggerSecret(String.valueOf(secret)))
                        .toList());
    }
}
