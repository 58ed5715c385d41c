package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Schedules and their open ticks as the engine's role, of all tenants. */
final class PostgresTriggerSchedules implements TriggerSchedules {
    private static final System.Logger LOG = System.getLogger(PostgresTriggerSchedules.class.getName());

    /** Triggers that the log tells of. */
    private static final int MOST_TOLD = 1_000;

    private final Database engine;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    PostgresTriggerSchedules(Database engine) {
        this.engine = engine;
    }

    private static final String NOW = "SELECT clock_timestamp()";

    @Override
    public Instant now() throws JournalException {
        return engine.query(NOW, _ -> {}, row -> Times.instant(row, 1)).getFirst();
    }

    /** Of each range its own, along the index, before anything else is read of them. */
    static final String WAITING =
            "SELECT " + TriggerRows.COLUMNS + ", s.due, s.since, s.turn, s.look_at" + TriggerRows.FROM + """
            JOIN (
                SELECT due.*
                FROM unnest(?::integer[], ?::integer[]) AS mine (first_slot, last_slot)
                CROSS JOIN LATERAL (
                    SELECT s.tenant, s.trigger_id, s.due, s.since, s.turn, s.look_at
                    FROM flowstone.trigger_schedules s
                    WHERE s.look_at <= ? AND s.slot BETWEEN mine.first_slot AND mine.last_slot AND s.tenant <> ALL (?::text[])
                    ORDER BY s.look_at
                    LIMIT ?
                ) AS due
                ORDER BY due.look_at, due.tenant, due.trigger_id
                LIMIT ?
            ) AS s ON s.tenant = t.tenant AND s.trigger_id = t.id
            ORDER BY s.look_at, s.tenant, s.trigger_id
            """;

    @Override
    public List<Scheduled> waiting(Collection<Lease> mine, Instant until, Collection<TenantId> without, int limit)
            throws JournalException {
        return engine.query(
                WAITING,
                query -> {
                    int bound = due(query, mine, until, without);
                    query.setInt(++bound, limit);
                    query.setInt(++bound, limit);
                },
                row -> new Scheduled(
                        key(row),
                        read(row),
                        new Place(
                                Times.optional(row, TriggerRows.BEHIND + 1),
                                Times.instant(row, TriggerRows.BEHIND + 2),
                                row.getLong(TriggerRows.BEHIND + 3)),
                        Times.instant(row, TriggerRows.BEHIND + 4)));
    }

    /** Answers how many parameters are bound then. */
    private static int due(PreparedStatement query, Collection<Lease> mine, Instant until, Collection<TenantId> without)
            throws SQLException {
        List<Shard> shards = mine.stream().map(Lease::shard).toList();
        query.setObject(1, BinaryArray.ints(shards, Shard::firstSlot));
        query.setObject(2, BinaryArray.ints(shards, Shard::lastSlot));
        query.setObject(3, Times.parameter(until));
        query.setObject(4, BinaryArray.texts(List.copyOf(without), TenantId::value));
        return 4;
    }

    private static TriggerKey key(ResultSet row) throws SQLException {
        return new TriggerKey(new TenantId(row.getString(1)), new TriggerId(row.getObject(2, UUID.class)));
    }

    /** A row that isn't as it must be concerns nobody else; the log tells of it once. */
    private Optional<Trigger> read(ResultSet row) throws SQLException {
        String which = row.getString(1) + "/" + row.getString(2);
        try {
            Trigger trigger = TriggerRows.trigger(row);
            unreadable.remove(which);
            return Optional.of(trigger);
        } catch (RuntimeException e) {
            if (unreadable.size() < MOST_TOLD && unreadable.add(which)) {
                LOG.log(Level.ERROR, "trigger " + which + " can't be read, and fires nothing", e);
            }
            return Optional.empty();
        }
    }

    @Override
    public Set<UUID> advance(List<Advance> advances) throws JournalException {
        return TickClaims.claim(engine, advances);
    }

    static final String OPEN = "SELECT " + TriggerRows.COLUMNS
            + ", k.id, k.tick, k.claimed_at, k.slot, k.tries, k.first_try" + TriggerRows.FROM
            + """
            JOIN (
                SELECT due.*
                FROM unnest(?::integer[], ?::integer[]) AS mine (first_slot, last_slot)
                CROSS JOIN LATERAL (
                    SELECT k.tenant, k.trigger_id, k.id, k.tick, k.claimed_at, k.slot, k.tries, k.first_try, k.try_at
                    FROM flowstone.trigger_ticks k
                    WHERE k.try_at <= ? AND k.slot BETWEEN mine.first_slot AND mine.last_slot AND k.tenant <> ALL (?::text[])
                      AND k.id <> ALL (?::uuid[])
                    ORDER BY k.try_at
                    LIMIT ?
                ) AS due
                ORDER BY due.try_at, due.tenant, due.trigger_id, due.id
                LIMIT ?
            ) AS k ON k.tenant = t.tenant AND k.trigger_id = t.id
            ORDER BY k.try_at, k.tenant, k.trigger_id, k.id
            """;

    @Override
    public List<OpenTick> open(
            Collection<Lease> mine, Instant now, Collection<TenantId> without, Collection<UUID> known, int limit)
            throws JournalException {
        return engine.query(
                OPEN,
                query -> {
                    int bound = due(query, mine, now, without);
                    query.setObject(++bound, BinaryArray.uuids(List.copyOf(known), it -> it));
                    query.setInt(++bound, limit);
                    query.setInt(++bound, limit);
                },
                row -> {
                    Instant tick = Times.instant(row, TriggerRows.BEHIND + 2);
                    Arrival arrival = new Arrival(
                            key(row),
                            row.getObject(TriggerRows.BEHIND + 1, UUID.class),
                            tick.toString(),
                            TriggerKind.SCHEDULE,
                            Optional.empty(),
                            Optional.of(tick),
                            Times.instant(row, TriggerRows.BEHIND + 3));
                    return new OpenTick(
                            read(row),
                            arrival,
                            tick,
                            new Slot(row.getInt(TriggerRows.BEHIND + 4)),
                            row.getInt(TriggerRows.BEHIND + 5),
                            Times.optional(row, TriggerRows.BEHIND + 6));
                });
    }

    /** Rows are locked in one order, whoever writes them. */
    private static final String DEFER = """
            WITH deferred AS MATERIALIZED (
                SELECT k.tenant, k.trigger_id, k.id, d.pause_ms
                FROM unnest(?::text[], ?::uuid[], ?::uuid[], ?::bigint[]) AS d (tenant, trigger_id, id, pause_ms)
                JOIN flowstone.trigger_ticks k ON k.tenant = d.tenant AND k.trigger_id = d.trigger_id AND k.id = d.id
                ORDER BY k.id
                FOR NO KEY UPDATE OF k
            )
            UPDATE flowstone.trigger_ticks k
            SET try_at = clock_timestamp() + d.pause_ms * interval '1 millisecond', tries = k.tries + 1,
                first_try = coalesce(k.first_try, clock_timestamp())
            FROM deferred d
            WHERE k.tenant = d.tenant AND k.trigger_id = d.trigger_id AND k.id = d.id
            """;

    @Override
    public void defer(List<Deferred> ticks) throws JournalException {
        engine.change(DEFER, change -> {
            change.setObject(
                    1,
                    BinaryArray.texts(
                            ticks, it -> it.arrival().trigger().tenant().value()));
            change.setObject(
                    2,
                    BinaryArray.uuids(ticks, it -> it.arrival().trigger().id().value()));
            change.setObject(3, BinaryArray.uuids(ticks, it -> it.arrival().id()));
            change.setObject(4, BinaryArray.longs(ticks, it -> it.pause().toMillis()));
        });
    }

    private static final String CLOSE = "WITH settled AS MATERIALIZED (" + PostgresTriggerDeliveries.SETTLED + """
            ),
            s AS (
                DELETE FROM flowstone.trigger_ticks k
                USING settled s
                WHERE k.tenant = s.tenant AND k.trigger_id = s.trigger_id AND k.id = s.id
                RETURNING s.*
            )
            """
            + PostgresTriggerDeliveries.SETTLE + "FROM s\n" + PostgresTriggerDeliveries.OF_SETTLED;

    @Override
    public void close(List<Settled> settled) throws JournalException {
        List<Settled> sorted = PostgresTriggerDeliveries.sorted(settled);
        engine.change(CLOSE, change -> PostgresTriggerDeliveries.settled(change, sorted));
    }
}
