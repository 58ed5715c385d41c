package dev.flowstone.postgres;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.Wanted;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outbox as its shard's owner works it off. Delivered messages are removed, dead ones kept with their last error; of every
 * attempt there is evidence.
 */
final class PostgresOutbox implements Outbox {
    private static final int LONGEST_ERROR = 4_000;

    private final Database engine;
    private final OutboxControl control;

    PostgresOutbox(Database engine, Database api) {
        this.engine = engine;
        this.control = new PostgresOutboxControl(api);
    }

    @Override
    public OutboxControl control() {
        return control;
    }

    /**
     * Hops along the index from one destination to the next, and takes of each its oldest, so that what waits for one destination,
     * or is not due, is not read for another. What is passed by are due messages of the same destination that are
     * suspended. A run that is suspended has a timer that says so, which counts until the run ends; it is asked for one message at a
     * time, as far as they are read, and never joined.
     */
    private static final String DESTINATIONS = """
            WITH RECURSIVE waiting (destination) AS (
                (SELECT o.destination FROM flowstone.outbox o
                 WHERE o.state = 'pending' AND o.shard = ?
                 ORDER BY o.destination LIMIT 1)
                UNION ALL
                SELECT (SELECT o.destination FROM flowstone.outbox o
                        WHERE o.state = 'pending' AND o.shard = ? AND o.destination > w.destination
                        ORDER BY o.destination LIMIT 1)
                FROM waiting w WHERE w.destination IS NOT NULL
            )
            SELECT o.tenant, o.run_id, o.cause_seq, o.ordinal, o.destination, o.content, o.attempts, o.tried_before
            FROM flowstone.epochs e
            LEFT JOIN LATERAL (
                SELECT m.*
                FROM waiting w
                LEFT JOIN unnest(?::text[], ?::int[]) AS own (destination, most) ON own.destination = w.destination
                CROSS JOIN LATERAL (
                    SELECT b.*, row_number() OVER (ORDER BY b.due_at, b.tenant, b.run_id, b.cause_seq, b.ordinal) AS turn
                    FROM (
                        SELECT x.* FROM flowstone.outbox x
                        WHERE x.state = 'pending' AND x.shard = ? AND x.destination = w.destination AND x.due_at <= ?
                          AND NOT coalesce((
                              SELECT (SELECT r.ended_at IS NULL FROM flowstone.runs r
                                      WHERE r.tenant = t.tenant AND r.run_id = t.run_id)
                              FROM flowstone.timers t
                              WHERE t.tenant = x.tenant AND t.run_id = x.run_id AND t.timer_id = 'suspended'), false)
            """;

    private static final String TURNS = """
                        ORDER BY x.due_at, x.tenant, x.run_id, x.cause_seq, x.ordinal
                        LIMIT coalesce(own.most, ?)
                    ) b
                ) m
                WHERE w.destination IS NOT NULL
                ORDER BY m.turn, m.due_at, m.tenant, m.run_id, m.cause_seq, m.ordinal
                LIMIT ?
            ) o ON true
            WHERE e.shard = ? AND e.epoch = ? AND e.holder = ?
            ORDER BY o.turn, o.due_at, o.tenant, o.run_id, o.cause_seq, o.ordinal
            """;

    /** The narrowest scope with a setting governs; no tenant, and no workflow, is every one. */
    private static final String NOT_SUSPENDED_BY_SCOPE = """
                          AND NOT coalesce((
                              SELECT s.suspended
                              FROM unnest(?::text[], ?::text[], ?::boolean[]) AS s (tenant, workflow, suspended)
                              WHERE (s.tenant = '' OR s.tenant = x.tenant)
                                AND (s.workflow = '' OR s.workflow = (
                                    SELECT r.workflow FROM flowstone.runs r
                                    WHERE r.tenant = x.tenant AND r.run_id = x.run_id))
                              ORDER BY s.workflow = '', s.tenant = ''
                              LIMIT 1), false)
            """;

    static final String DUE = DESTINATIONS + TURNS;
    static final String DUE_BESIDE_SUSPENDED = DESTINATIONS + NOT_SUSPENDED_BY_SCOPE + TURNS;

    @Override
    public List<Pending> due(Lease lease, Instant now, Wanted wanted) throws JournalException {
        List<String> destinations = List.copyOf(wanted.of().keySet());
        List<ScopeSetting> scopes = wanted.scopes();
        return Fence.rows(
                engine.query(
                        scopes.isEmpty() ? DUE : DUE_BESIDE_SUSPENDED,
                        query -> {
                            int bound = 0;
                            query.setInt(++bound, lease.shard().id().number());
                            query.setInt(++bound, lease.shard().id().number());
                            query.setObject(++bound, BinaryArray.texts(destinations, name -> name));
                            query.setObject(++bound, BinaryArray.ints(destinations, wanted::of));
                            query.setInt(++bound, lease.shard().id().number());
                            query.setObject(++bound, Times.parameter(now));
                            if (!scopes.isEmpty()) {
                                query.setObject(++bound, BinaryArray.texts(scopes, PostgresOutbox::tenant));
                                query.setObject(++bound, BinaryArray.texts(scopes, PostgresOutbox::workflow));
                                query.setObject(
                                        ++bound,
                                        BinaryArray.booleans(scopes, setting -> setting.mode() == SettingMode.SUSPEND));
                            }
                            query.setInt(++bound, wanted.each());
                            query.setInt(++bound, wanted.limit());
                            Fence.bind(query, ++bound, lease);
                        },
                        row -> row.getString(1) == null ? Optional.empty() : Optional.of(pending(row))),
                lease);
    }

    private static String tenant(ScopeSetting setting) {
        return setting.scope().tenantId().map(TenantId::value).orElse("");
    }

    private static String workflow(ScopeSetting setting) {
        return setting.scope().workflowId().map(WorkflowId::value).orElse("");
    }

    private static Pending pending(ResultSet row) throws SQLException {
        return new Pending(
                PostgresJournal.key(row.getString(1), row.getObject(2, UUID.class)),
                new OutboxMessage(row.getLong(3), row.getInt(4), row.getString(5), Json.read(row.getBytes(6))),
                row.getInt(7),
                row.getInt(8));
    }

    private static final String KNOWN = """
            SELECT EXISTS (SELECT FROM flowstone.outbox
                           WHERE tenant = ? AND run_id = ? AND cause_seq = ? AND ordinal = ?)
                OR EXISTS (SELECT FROM flowstone.outbox_attempts
                           WHERE tenant = ? AND run_id = ? AND cause_seq = ? AND ordinal = ?)
                OR EXISTS (SELECT FROM flowstone.outbox_deeds
                           WHERE tenant = ? AND run_id = ? AND cause_seq = ? AND ordinal = ?)
            """;

    @Override
    public boolean knows(OutboxKey key) throws JournalException {
        return engine.query(
                        KNOWN,
                        query -> {
                            int bound = 0;
                            for (int table = 0; table < 3; table++) {
                                query.setString(++bound, key.run().tenant().value());
                                query.setObject(++bound, key.run().run().value());
                                query.setLong(++bound, key.causeSequence());
                                query.setInt(++bound, key.ordinal());
                            }
                        },
                        row -> row.getBoolean(1))
                .getFirst();
    }

    /**
     * Each message is found by its name, whatever the planner believes of the table, which is empty most of the time, and of its other
     * indexes, whose conditions aren't named here. An attempt is told once, and counts once: what was settled before, under a reply that was lost, changes nothing, also if the
     * message was put back in between.
     */
    static final String SETTLE = """
            WITH fence AS (
                SELECT 1 AS held FROM flowstone.epochs
                WHERE shard = ? AND epoch = ? AND holder = ?
                FOR SHARE
            ), settled AS (
                SELECT u.*
                FROM fence, unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    AS u (tenant, run_id, cause_seq, ordinal, destination, attempt, begun_at, took_ms, status, outcome, due_at,
                          death, error)
            ), found AS (
                SELECT s.*, k.place
                FROM settled s
                CROSS JOIN LATERAL (
                    SELECT m.ctid AS place, m.state AS now, m.tried_before + m.attempts + 1 AS next
                    FROM flowstone.outbox m
                    WHERE m.tenant = s.tenant AND m.run_id = s.run_id AND m.cause_seq = s.cause_seq AND m.ordinal = s.ordinal
                    OFFSET 0
                ) k
                WHERE k.now = 'pending' AND (s.outcome = 'delivered' OR k.next = s.attempt)
            ), delivered AS (
                DELETE FROM flowstone.outbox o
                WHERE o.ctid = ANY (ARRAY(SELECT f.place FROM found f WHERE f.outcome = 'delivered'))
            ), kept AS (
                UPDATE flowstone.outbox o
                SET state = CASE s.outcome WHEN 'dead' THEN 'dead' ELSE 'pending' END, attempts = o.attempts + 1,
                    due_at = coalesce(s.due_at, o.due_at), error = s.error, death = nullif(s.death, ''),
                    failed_at = s.begun_at + s.took_ms * interval '1 millisecond'
                FROM found s
                WHERE s.outcome <> 'delivered' AND o.ctid = s.place
            ), told AS (
                INSERT INTO flowstone.outbox_attempts
                    (tenant, run_id, cause_seq, ordinal, attempt, destination, begun_at, took_ms, outcome, status, error)
                SELECT s.tenant, s.run_id, s.cause_seq, s.ordinal, s.attempt, s.destination, s.begun_at, s.took_ms, s.outcome,
                       nullif(s.status, 0), nullif(s.error, '')
                FROM settled s
                ON CONFLICT DO NOTHING
            )
            SELECT held FROM fence
            """;

    @Override
    public void settle(Lease lease, List<Settlement> settlements) throws JournalException {
        List<Integer> held = engine.query(
                SETTLE,
                query -> {
                    Fence.bind(query, 1, lease);
                    int bound = 3;
                    query.setObject(
                            ++bound,
                            BinaryArray.texts(settlements, s -> run(s).tenant().value()));
                    query.setObject(
                            ++bound,
                            BinaryArray.uuids(settlements, s -> run(s).run().value()));
                    query.setObject(
                            ++bound,
                            BinaryArray.longs(settlements, s -> message(s).causeSequence()));
                    query.setObject(
                            ++bound,
                            BinaryArray.ints(settlements, s -> message(s).ordinal()));
                    query.setObject(
                            ++bound,
                            BinaryArray.texts(settlements, s -> message(s).destination()));
                    query.setObject(
                            ++bound,
                            BinaryArray.ints(settlements, s -> s.pending().attempt()));
                    query.setObject(
                            ++bound,
                            BinaryArray.times(settlements, s -> s.evidence().begunAt()));
                    query.setObject(
                            ++bound,
                            BinaryArray.longs(
                                    settlements, s -> s.evidence().took().toMillis()));
                    query.setObject(
                            ++bound,
                            BinaryArray.ints(
                                    settlements, s -> s.evidence().status().orElse(0)));
                    query.setObject(++bound, BinaryArray.texts(settlements, PostgresOutbox::outcome));
                    query.setObject(++bound, BinaryArray.times(settlements, PostgresOutbox::nextAttempt));
                    query.setObject(++bound, BinaryArray.texts(settlements, PostgresOutbox::death));
                    query.setObject(++bound, BinaryArray.texts(settlements, PostgresOutbox::error));
                },
                row -> row.getInt(1));
        if (held.isEmpty()) {
            throw Fence.stale(lease);
        }
    }

    private static RunKey run(Settlement settlement) {
        return settlement.pending().run();
    }

    private static OutboxMessage message(Settlement settlement) {
        return settlement.pending().message();
    }

    private static String outcome(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Delivered delivered -> "delivered";
            case Settlement.Postponed postponed -> "postponed";
            case Settlement.Dead dead -> "dead";
        };
    }

    private static String death(Settlement settlement) {
        return settlement instanceof Settlement.Dead dead ? dead.reason().name() : "";
    }

    private static @Nullable Instant nextAttempt(Settlement settlement) {
        return settlement instanceof Settlement.Postponed postponed ? postponed.nextAttempt() : null;
    }

    /** An error is somebody else's text: cut, and without what the database can't keep, so that it never stands in the way. */
    private static String error(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Delivered delivered -> "";
            case Settlement.Postponed postponed -> storable(postponed.error());
            case Settlement.Dead dead -> storable(dead.error());
        };
    }

    static String storable(String error) {
        StringBuilder kept = new StringBuilder();
        error.codePoints()
                .limit(LONGEST_ERROR)
                .map(c -> c == 0 || Character.getType(c) == Character.SURROGATE ? 0xfffd : c)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }
}
