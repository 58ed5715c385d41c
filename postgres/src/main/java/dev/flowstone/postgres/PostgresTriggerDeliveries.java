package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.TriggerDeliveries;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deliveries: written as the engine's role, of many tenants at once; read by people as the API's. */
final class PostgresTriggerDeliveries implements TriggerDeliveries {
    private static final UUID LAST = new UUID(-1, -1);
    private static final UUID NO_RUN = new UUID(0, 0);

    private final Database engine;
    private final Database api;

    PostgresTriggerDeliveries(Database engine, Database api) {
        this.engine = engine;
        this.api = api;
    }

    /**
     * One that its sender has signed for this time holds it alone; one that is written again because nobody knows whether it was is there
     * once. Whether an earlier attempt is there is as it was before.
     */
    private static final String CLAIM = """
            WITH arrived AS MATERIALIZED (
                SELECT * FROM unnest(?::text[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::timestamptz[],
                                     ?::timestamptz[]) WITH ORDINALITY
                    AS a (tenant, trigger_id, id, delivery, source, actor, sent_at, received_at, place)
            ),
            fresh AS (
                INSERT INTO flowstone.trigger_deliveries (tenant, trigger_id, id, delivery, source, actor, sent_at, holds, received_at)
                SELECT a.tenant, a.trigger_id, a.id, a.delivery, a.source, nullif(a.actor, ''), a.sent_at,
                       CASE WHEN a.sent_at IS NOT NULL THEN true END, a.received_at
                FROM arrived a
                ORDER BY a.tenant, a.trigger_id, a.delivery, a.sent_at, a.place
                ON CONFLICT DO NOTHING
                RETURNING id
            ),
            there AS (
                SELECT f.id FROM fresh f
                UNION ALL
                SELECT d.id FROM arrived a
                JOIN flowstone.trigger_deliveries d ON d.tenant = a.tenant AND d.trigger_id = a.trigger_id AND d.id = a.id
            )
            SELECT a.id, EXISTS (SELECT FROM flowstone.trigger_deliveries o
                                 WHERE o.tenant = a.tenant AND o.trigger_id = a.trigger_id AND o.delivery = a.delivery
                                   AND o.sent_at IS NOT NULL AND o.id <> a.id)
            FROM there t JOIN arrived a ON a.id = t.id
            """;

    /** What one is told by that nobody can send otherwise. */
    private record Bytes(TriggerKey trigger, String delivery, Optional<Instant> sentAt) {
        static Bytes of(Arrival arrival) {
            return new Bytes(arrival.trigger(), arrival.delivery(), arrival.sentAt());
        }
    }

    @Override
    public Map<UUID, Claim> claim(List<Arrival> arrivals) throws JournalException {
        Map<UUID, Claim> claimed = new HashMap<>(claimed(arrivals));
        Set<Bytes> taken = arrivals.stream()
                .filter(it -> claimed.containsKey(it.id()))
                .map(Bytes::of)
                .collect(Collectors.toUnmodifiableSet());
        List<Arrival> left =
                arrivals.stream().filter(it -> !taken.contains(Bytes.of(it))).toList();
        if (!left.isEmpty() && release(left) > 0) {
            claimed.putAll(claimed(left));
        }
        return claimed;
    }

    /** Of what nobody knows what became; it is in flight elsewhere, or its node is gone. Receipts see to it that it starts one thing. */
    private static final String RELEASE = """
            UPDATE flowstone.trigger_deliveries d
            SET holds = NULL
            FROM unnest(?::text[], ?::uuid[], ?::text[], ?::timestamptz[]) AS a (tenant, trigger_id, delivery, sent_at)
            WHERE d.tenant = a.tenant AND d.trigger_id = a.trigger_id AND d.delivery = a.delivery AND d.sent_at = a.sent_at
              AND d.holds AND d.outcome IS NULL
            """;

    private long release(List<Arrival> arrivals) throws JournalException {
        return engine.change(RELEASE, change -> {
            change.setObject(
                    1, BinaryArray.texts(arrivals, it -> it.trigger().tenant().value()));
            change.setObject(
                    2, BinaryArray.uuids(arrivals, it -> it.trigger().id().value()));
            change.setObject(3, BinaryArray.texts(arrivals, Arrival::delivery));
            change.setObject(4, BinaryArray.times(arrivals, it -> it.sentAt().orElse(null)));
        });
    }

    private Map<UUID, Claim> claimed(List<Arrival> arrivals) throws JournalException {
        return engine
                .query(
                        CLAIM,
                        query -> {
                            query.setObject(
                                    1,
                                    BinaryArray.texts(
                                            arrivals,
                                            it -> it.trigger().tenant().value()));
                            query.setObject(
                                    2,
                                    BinaryArray.uuids(
                                            arrivals, it -> it.trigger().id().value()));
                            query.setObject(3, BinaryArray.uuids(arrivals, Arrival::id));
                            query.setObject(4, BinaryArray.texts(arrivals, Arrival::delivery));
                            query.setObject(
                                    5,
                                    BinaryArray.texts(
                                            arrivals, it -> it.source().stored()));
                            query.setObject(
                                    6,
                                    BinaryArray.texts(
                                            arrivals,
                                            it -> it.actor()
                                                    .map(Actor::toString)
                                                    .orElse("")));
                            query.setObject(
                                    7,
                                    BinaryArray.times(
                                            arrivals, it -> it.sentAt().orElse(null)));
                            query.setObject(8, BinaryArray.times(arrivals, Arrival::receivedAt));
                        },
                        row -> Map.entry(row.getObject(1, UUID.class), row.getBoolean(2) ? Claim.AGAIN : Claim.FIRST))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** What became of deliveries, as rows; bound by {@link #settled}. */
    static final String SETTLED = """
            SELECT * FROM unnest(?::text[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::boolean[])
                AS s (tenant, trigger_id, id, outcome, code, detail, run_id, again)
            """;

    static final String SETTLE = """
            UPDATE flowstone.trigger_deliveries d
            SET outcome = s.outcome, code = nullif(s.code, ''), detail = nullif(s.detail, ''),
                run_id = nullif(s.run_id, '00000000-0000-0000-0000-000000000000'::uuid),
                holds = CASE WHEN NOT s.again THEN d.holds END
            """;

    static final String OF_SETTLED = """
            WHERE d.tenant = s.tenant AND d.trigger_id = s.trigger_id AND d.id = s.id
            """;

    private static final String SETTLE_ALL = SETTLE + "FROM (" + SETTLED + ") AS s\n" + OF_SETTLED;

    @Override
    public void settle(List<Settled> settled) throws JournalException {
        List<Settled> sorted = sorted(settled);
        engine.change(SETTLE_ALL, change -> settled(change, sorted));
    }

    /** Rows are locked in one order, whoever writes them. */
    static List<Settled> sorted(List<Settled> settled) {
        return settled.stream().sorted(Comparator.comparing(Settled::id)).toList();
    }

    static void settled(PreparedStatement change, List<Settled> sorted) throws SQLException {
        change.setObject(
                1, BinaryArray.texts(sorted, it -> it.trigger().tenant().value()));
        change.setObject(2, BinaryArray.uuids(sorted, it -> it.trigger().id().value()));
        change.setObject(3, BinaryArray.uuids(sorted, Settled::id));
        change.setObject(
                4, BinaryArray.texts(sorted, it -> it.result().outcome().toString()));
        change.setObject(5, BinaryArray.texts(sorted, it -> it.result().code().orElse("")));
        change.setObject(
                6, BinaryArray.texts(sorted, it -> storable(it.result().detail().orElse(""))));
        change.setObject(
                7,
                BinaryArray.uuids(
                        sorted, it -> it.result().run().map(RunId::value).orElse(NO_RUN)));
        change.setObject(8, BinaryArray.booleans(sorted, Settled::again));
    }

    /** A detail may repeat a piece of what was sent. */
    private static String storable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point == 0 || Character.getType(point) == Character.SURROGATE ? 0xfffd : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static final String LIST = """
            SELECT id, delivery, source, actor, sent_at, received_at, outcome, code, detail, run_id
            FROM flowstone.trigger_deliveries
            WHERE tenant = ? AND trigger_id = ? AND id < ?
            ORDER BY id DESC
            LIMIT ?
            """;

    @Override
    public List<Delivery> list(TriggerKey trigger, Optional<UUID> before, int limit) throws JournalException {
        return api.queryAsTenant(
                trigger.tenant(),
                LIST,
                query -> {
                    int bound = TriggerRows.key(query, trigger, 0);
                    query.setObject(++bound, before.orElse(LAST));
                    query.setInt(++bound, limit);
                },
                row -> delivery(trigger, row));
    }

    private static Delivery delivery(TriggerKey trigger, ResultSet row) throws SQLException {
        Optional<Instant> sentAt = Times.optional(row, 5);
        Arrival arrival = new Arrival(
                trigger,
                row.getObject(1, UUID.class),
                row.getString(2),
                TriggerKind.ofStored(row.getString(3)),
                Optional.ofNullable(row.getString(4)).map(Actor::parse),
                sentAt,
                Times.instant(row, 6));
        @Nullable String outcome = row.getString(7);
        return new Delivery(
                arrival,
                outcome == null
                        ? Optional.empty()
                        : Optional.of(new Result(
                                Outcome.valueOf(outcome.toUpperCase(Locale.ROOT)),
                                Optional.ofNullable(row.getString(8)),
                                Optional.ofNullable(row.getString(9)),
                                Optional.ofNullable(row.getObject(10, UUID.class))
                                        .map(RunId::new))));
    }
}
