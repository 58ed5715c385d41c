package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Advance;
import dev.flowstone.engine.trigger.TriggerSchedules.Claim;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Moves schedules on and claims their ticks, under their shards' epochs. */
final class TickClaims {
    private TickClaims() {}

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
            claims AS MATERIALIZED (
                SELECT k.* FROM unnest(?::text[], ?::uuid[], ?::uuid[], ?::text[], ?::timestamptz[], ?::timestamptz[], ?::integer[])
                    AS k (tenant, trigger_id, id, delivery, tick, claimed_at, slot)
                JOIN advanced a ON a.tenant = k.tenant AND a.trigger_id = k.trigger_id
            ),
            room AS MATERIALIZED (
                SELECT c.tenant,
                       ? - (SELECT count(*) FROM (SELECT FROM flowstone.trigger_ticks o WHERE o.tenant = c.tenant LIMIT ?) AS there)
                           AS places
                FROM (SELECT DISTINCT tenant FROM claims) AS c
            ),
            ticks AS MATERIALIZED (
                SELECT c.*, row_number() OVER (PARTITION BY c.tenant ORDER BY c.tick, c.trigger_id) > r.places AS is_over
                FROM claims c JOIN room r ON r.tenant = c.tenant
            ),
            received AS (
                INSERT INTO flowstone.trigger_deliveries (tenant, trigger_id, id, delivery, source, sent_at, holds, received_at, outcome,
                                                          code, detail)
                SELECT k.tenant, k.trigger_id, k.id, k.delivery, 'schedule', k.tick, true, k.claimed_at,
                       CASE WHEN k.is_over THEN 'refused' END, CASE WHEN k.is_over THEN 'QUOTA_EXCEEDED' END,
                       CASE WHEN k.is_over THEN 'the tenant has as many ticks that are still to be started as it may' END
                FROM ticks k
                ORDER BY k.tenant, k.trigger_id, k.tick
                ON CONFLICT DO NOTHING
                RETURNING id
            )
            INSERT INTO flowstone.trigger_ticks (tenant, trigger_id, id, slot, tick, claimed_at, try_at)
            SELECT k.tenant, k.trigger_id, k.id, k.slot, k.tick, k.claimed_at, k.claimed_at
            FROM ticks k JOIN received r ON r.id = k.id
            WHERE NOT k.is_over
            RETURNING id
            """;

    /** The ids of the ticks that are to be started. */
    static Set<UUID> claim(Database engine, List<Advance> advances) throws JournalException {
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
                    query.setInt(16, TriggerSchedules.MOST_OPEN);
                    query.setInt(17, TriggerSchedules.MOST_OPEN);
                },
                row -> row.getObject(1, UUID.class)));
    }
}
