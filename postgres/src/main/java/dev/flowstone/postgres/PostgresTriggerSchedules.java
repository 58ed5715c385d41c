package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSchedules;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Schedules and their open ticks as the engine's role, of all tenants. */
final class PostgresTriggerSchedules implements TriggerSchedules {
    private static final System.Logger LOG = System.getLogger(PostgresTriggerSchedules.class.getName());

    private final Database engine;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    PostgresTriggerSchedules(Database engine) {
        this.engine = engine;
    }

    private static final String WAITING =
            "SELECT " + TriggerRows.COLUMNS + ", s.due, s.since, s.turn, s.look_at" + TriggerRows.FROM + """
            JOIN flowstone.trigger_schedules s ON s.tenant = t.tenant AND s.trigger_id = t.id
            WHERE s.look_at <= ?
              AND EXISTS (SELECT
                          FROM unnest(?::integer[], ?::integer[]) AS mine (first_slot, last_slot)
                          WHERE s.slot BETWEEN mine.first_slot AND mine.last_slot)
            ORDER BY s.look_at, s.tenant, s.trigger_id
            LIMIT ?
            """;

    @Override
    public List<Scheduled> waiting(Collection<Lease> mine, Instant until, int limit) throws JournalException {
        return engine
                .query(
                        WAITING,
                        query -> page(query, mine, until, limit),
                        row -> read(
                                row,
                                trigger -> new Scheduled(
                                        trigger,
                                        new Place(
                                                Times.optional(row, TriggerRows.BEHIND + 1),
                                                Times.instant(row, TriggerRows.BEHIND + 2),
                                                row.getLong(TriggerRows.BEHIND + 3)),
                                        Times.instant(row, TriggerRows.BEHIND + 4))))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static void page(PreparedStatement query, Collection<Lease> mine, Instant until, int limit)
            throws SQLException {
        List<Shard> shards = mine.stream().map(Lease::shard).toList();
        query.setObject(1, Times.parameter(until));
        query.setObject(2, BinaryArray.ints(shards, Shard::firstSlot));
        query.setObject(3, BinaryArray.ints(shards, Shard::lastSlot));
        query.setInt(4, limit);
    }

    /** Makes something of a row's trigger. */
    @FunctionalInterface
    private interface Reading<T> {
        T of(Trigger trigger) throws SQLException;
    }

    /** A row that isn't as it must be concerns nobody else; the log tells of it once. */
    private <T> Optional<T> read(ResultSet row, Reading<T> reading) throws SQLException {
        String which = row.getString(1) + "/" + row.getString(2);
        try {
            T read = reading.of(TriggerRows.trigger(row));
            unreadable.remove(which);
            return Optional.of(read);
        } catch (RuntimeException e) {
            if (unreadable.add(which)) {
                LOG.log(Level.ERROR, "trigger " + which + " can't be read, and fires nothing", e);
            }
            return Optional.empty();
        }
    }

    /** Rows are locked in one order, by whoever changes many. */
    private static final String ADVANCE = """
            WITH moves AS MATERIALIZED (
                SELECT * FROM unnest(?::integer[], ?::bigint[], ?::text[], ?::text[], ?::uuid[], ?::bigint[], ?::timestamptz[],
                                     ?::timestamptz[])
                    AS m (shard, epoch, holder, tenant, trigger_id, turn, due, look_at)
            ),
            fence AS MATERIALIZED (
                SELECT e.shard, e.epoch, e.holder FROM flowstone.epochs e
                WHERE (e.shard, e.epoch, e.holder) IN (SELECT m.shard, m.epoch, m.holder FROM moves m)
                ORDER BY e.shard
                FOR SHARE
            ),
            held AS MATERIALIZED (
                SELECT s.tenant, s.trigger_id, m.due, m.look_at
                FROM moves m
                JOIN fence f ON f.shard = m.shard AND f.epoch = m.epoch AND f.holder = m.holder
                JOIN flowstone.trigger_schedules s ON s.tenant = m.tenant AND s.trigger_id = m.trigger_id AND s.turn = m.turn
                ORDER BY s.tenant, s.trigger_id
                FOR NO KEY UPDATE OF s
            ),
            advanced AS (
                UPDATE flowstone.trigger_schedules s
                SET due = h.due, look_at = h.look_at, turn = s.turn + 1
                FROM held h
                WHERE s.tenant = h.tenant AND s.trigger_id = h.trigger_id
                RETURNING s.tenant, s.trigger_id
            ),
            ticks AS MATERIALIZED (
                SELECT k.* FROM unnest(?::text[], ?::uuid[], ?::uuid[], ?::text[], ?::timestamptz[], ?::timestamptz[], ?::integer[])
                    AS k (tenant, trigger_id, id, delivery, tick, claimed_at, slot)
                JOIN advanced a ON a.tenant = k.tenant AND a.trigger_id = k.trigger_id
            ),
            received AS (
                INSERT INTO flowstone.trigger_deliveries (tenant, trigger_id, id, delivery, source, sent_at, holds, received_at)
                SELECT k.tenant, k.trigger_id, k.id, k.delivery, 'schedule', k.tick, true, k.claimed_at FROM ticks k
                ORDER BY k.tenant, k.trigger_id, k.tick
                ON CONFLICT DO NOTHING
                RETURNING id
            )
            INSERT INTO flowstone.trigger_ticks (tenant, trigger_id, id, slot, tick, claimed_at, try_at)
            SELECT k.tenant, k.trigger_id, k.id, k.slot, k.tick, k.claimed_at, k.claimed_at
            FROM ticks k JOIN received r ON r.id = k.id
            RETURNING id
            """;

    @Override
    public Set<UUID> advance(List<Advance> advances) throws JournalException {
        List<Claim> ticks = advances.stream().flatMap(it -> it.ticks().stream()).toList();
        return new HashSet<>(engine.query(
                ADVANCE,
                query -> {
                    query.setObject(
                            1,
                            BinaryArray.ints(
                                    advances, it -> it.lease().shard().id().number()));
                    query.setObject(
                            2, BinaryArray.longs(advances, it -> it.lease().epoch()));
                    query.setObject(
                            3, BinaryArray.texts(advances, it -> it.lease().holder()));
                    query.setObject(
                            4,
                            BinaryArray.texts(
                                    advances, it -> it.trigger().tenant().value()));
                    query.setObject(
                            5,
                            BinaryArray.uuids(advances, it -> it.trigger().id().value()));
                    query.setObject(
                            6, BinaryArray.longs(advances, it -> it.from().turn()));
                    query.setObject(
                            7, BinaryArray.times(advances, it -> it.due().orElse(null)));
                    query.setObject(8, BinaryArray.times(advances, Advance::lookAt));
                    query.setObject(
                            9,
                            BinaryArray.texts(
                                    ticks, it -> it.arrival().trigger().tenant().value()));
                    query.setObject(
                            10,
                            BinaryArray.uuids(
                                    ticks, it -> it.arrival().trigger().id().value()));
                    query.setObject(
                            11, BinaryArray.uuids(ticks, it -> it.arrival().id()));
                    query.setObject(
                            12, BinaryArray.texts(ticks, it -> it.arrival().delivery()));
                    query.setObject(
                            13,
                            BinaryArray.times(ticks, it -> it.arrival().sentAt().orElseThrow()));
                    query.setObject(
                            14, BinaryArray.times(ticks, it -> it.arrival().receivedAt()));
                    query.setObject(15, BinaryArray.ints(ticks, it -> it.slot().number()));
                },
                row -> row.getObject(1, UUID.class)));
    }

    private static final String OPEN =
            "SELECT " + TriggerRows.COLUMNS + ", k.id, k.tick, k.claimed_at, k.tries" + TriggerRows.FROM + """
            JOIN flowstone.trigger_ticks k ON k.tenant = t.tenant AND k.trigger_id = t.id
            WHERE k.try_at <= ?
              AND EXISTS (SELECT
                          FROM unnest(?::integer[], ?::integer[]) AS mine (first_slot, last_slot)
                          WHERE k.slot BETWEEN mine.first_slot AND mine.last_slot)
            ORDER BY k.try_at, k.tenant, k.trigger_id, k.id
            LIMIT ?
            """;

    @Override
    public List<OpenTick> open(Collection<Lease> mine, Instant now, int limit) throws JournalException {
        return engine
                .query(
                        OPEN,
                        query -> page(query, mine, now, limit),
                        row -> read(row, trigger -> {
                            Instant tick = Times.instant(row, TriggerRows.BEHIND + 2);
                            Arrival arrival = new Arrival(
                                    trigger.key(),
                                    row.getObject(TriggerRows.BEHIND + 1, UUID.class),
                                    tick.toString(),
                                    TriggerKind.SCHEDULE,
                                    Optional.empty(),
                                    Optional.of(tick),
                                    Times.instant(row, TriggerRows.BEHIND + 3));
                            return new OpenTick(trigger, arrival, tick, row.getInt(TriggerRows.BEHIND + 4));
                        }))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static final String DEFER = """
            UPDATE flowstone.trigger_ticks k
            SET try_at = d.try_at, tries = k.tries + 1
            FROM unnest(?::text[], ?::uuid[], ?::uuid[], ?::timestamptz[]) AS d (tenant, trigger_id, id, try_at)
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
            change.setObject(4, BinaryArray.times(ticks, Deferred::until));
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
