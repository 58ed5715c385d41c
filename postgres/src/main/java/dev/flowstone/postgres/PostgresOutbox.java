package dev.flowstone.postgres;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outbox as its shard's owner works it off. Delivered messages are removed, dead ones kept with their last error. */
final class PostgresOutbox implements Outbox {
    private static final int LONGEST_ERROR = 4_000;

    private final Database engine;

    PostgresOutbox(Database engine) {
        this.engine = engine;
    }

    private static final String DUE = """
            SELECT o.tenant, o.run_id, o.cause_seq, o.ordinal, o.destination, o.content, o.attempts
            FROM flowstone.epochs e
            LEFT JOIN LATERAL (
                SELECT * FROM flowstone.outbox
                WHERE state = 'pending' AND slot BETWEEN ? AND ? AND due_at <= ?
                ORDER BY due_at, tenant, run_id, cause_seq, ordinal
                LIMIT ?
            ) o ON true
            WHERE e.shard = ? AND e.epoch = ? AND e.holder = ?
            ORDER BY o.due_at, o.tenant, o.run_id, o.cause_seq, o.ordinal
            """;

    @Override
    public List<Pending> due(Lease lease, Instant now, int limit) throws JournalException {
        return Fence.rows(
                engine.query(
                        DUE,
                        query -> {
                            query.setInt(1, lease.shard().firstSlot());
                            query.setInt(2, lease.shard().lastSlot());
                            query.setObject(3, Times.parameter(now));
                            query.setInt(4, limit);
                            Fence.bind(query, 5, lease);
                        },
                        row -> row.getString(1) == null ? Optional.empty() : Optional.of(pending(row))),
                lease);
    }

    private static Pending pending(ResultSet row) throws SQLException {
        return new Pending(
                PostgresJournal.key(row.getString(1), row.getObject(2, UUID.class)),
                new OutboxMessage(row.getLong(3), row.getInt(4), row.getString(5), Json.read(row.getBytes(6))),
                row.getInt(7));
    }

    private static final String SETTLE = """
            WITH fence AS (
                SELECT 1 AS held FROM flowstone.epochs
                WHERE shard = ? AND epoch = ? AND holder = ?
                FOR SHARE
            ), settled AS (
                SELECT u.*
                FROM fence, unnest(?, ?, ?, ?, ?, ?, ?) AS u (tenant, run_id, cause_seq, ordinal, state, due_at, error)
            ), delivered AS (
                DELETE FROM flowstone.outbox o
                USING settled s
                WHERE s.state = 'delivered' AND o.state = 'pending' AND o.tenant = s.tenant AND o.run_id = s.run_id
                  AND o.cause_seq = s.cause_seq AND o.ordinal = s.ordinal
            ), kept AS (
                UPDATE flowstone.outbox o
                SET state = s.state, attempts = o.attempts + 1, due_at = coalesce(s.due_at, o.due_at), error = s.error
                FROM settled s
                WHERE s.state <> 'delivered' AND o.state = 'pending' AND o.tenant = s.tenant AND o.run_id = s.run_id
                  AND o.cause_seq = s.cause_seq AND o.ordinal = s.ordinal
            )
            SELECT held FROM fence
            """;

    @Override
    public void settle(Lease lease, List<Settlement> settlements) throws JournalException {
        List<Integer> held = engine.query(
                SETTLE,
                query -> {
                    Fence.bind(query, 1, lease);
                    query.setObject(
                            4,
                            BinaryArray.texts(settlements, s -> run(s).tenant().value()));
                    query.setObject(
                            5, BinaryArray.uuids(settlements, s -> run(s).run().value()));
                    query.setObject(
                            6, BinaryArray.longs(settlements, s -> message(s).causeSequence()));
                    query.setObject(
                            7, BinaryArray.ints(settlements, s -> message(s).ordinal()));
                    query.setObject(8, BinaryArray.texts(settlements, PostgresOutbox::state));
                    query.setObject(9, BinaryArray.times(settlements, PostgresOutbox::nextAttempt));
                    query.setObject(10, BinaryArray.texts(settlements, PostgresOutbox::error));
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

    private static String state(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Delivered delivered -> "delivered";
            case Settlement.Postponed postponed -> "pending";
            case Settlement.Dead dead -> "dead";
        };
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

    private static String storable(String error) {
        StringBuilder kept = new StringBuilder();
        error.codePoints()
                .limit(LONGEST_ERROR)
                .map(c -> c == 0 || Character.getType(c) == Character.SURROGATE ? 0xfffd : c)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }
}
