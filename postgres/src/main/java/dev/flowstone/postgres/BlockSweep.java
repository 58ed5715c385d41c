package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;

/** A table, read once from its first block to its last without an index. */
final class BlockSweep implements Sweep {
    private static final String BLOCKS = "SELECT pg_relation_size(?::regclass) / current_setting('block_size')::bigint";

    /** What is locked belongs to a commit that writes it anew, and that must never wait for a sweep that waits for it. */
    static final String EXPIRED_RECEIPTS = """
            DELETE FROM flowstone.receipts
            WHERE ctid = ANY (ARRAY(
                SELECT r.ctid FROM flowstone.receipts r
                WHERE r.ctid >= ('(' || ? || ',0)')::tid AND r.ctid < ('(' || ? || ',0)')::tid
                  AND r.expires_at < clock_timestamp() - ? * interval '1 millisecond'
                FOR UPDATE SKIP LOCKED))
            """;

    static final String SNAPSHOTS_OF_ENDED_RUNS = """
            DELETE FROM flowstone.snapshots
            WHERE ctid = ANY (ARRAY(
                SELECT s.ctid FROM flowstone.snapshots s
                JOIN flowstone.runs r ON r.tenant = s.tenant AND r.run_id = s.run_id
                WHERE s.ctid >= ('(' || ? || ',0)')::tid AND s.ctid < ('(' || ? || ',0)')::tid
                  AND r.ended_at < clock_timestamp() - ? * interval '1 millisecond'
                FOR UPDATE OF s SKIP LOCKED))
            """;

    static final String OLD_EVIDENCE = """
            DELETE FROM flowstone.outbox_attempts
            WHERE ctid = ANY (ARRAY(
                SELECT a.ctid FROM flowstone.outbox_attempts a
                WHERE a.ctid >= ('(' || ? || ',0)')::tid AND a.ctid < ('(' || ? || ',0)')::tid
                  AND a.begun_at < clock_timestamp() - ? * interval '1 millisecond'))
            """;

    /** Of what made a trigger that is there the key stays known. */
    static final String REQUESTS_OF_GONE_TRIGGERS = """
            DELETE FROM flowstone.trigger_requests
            WHERE ctid = ANY (ARRAY(
                SELECT q.ctid FROM flowstone.trigger_requests q
                WHERE q.ctid >= ('(' || ? || ',0)')::tid AND q.ctid < ('(' || ? || ',0)')::tid
                  AND q.made_at < clock_timestamp() - ? * interval '1 millisecond'
                  AND NOT EXISTS (SELECT FROM flowstone.triggers t WHERE t.tenant = q.tenant AND t.id = q.trigger_id)))
            """;

    /** A schedule's may still wait for its start; one that is just being settled, after a long time, is left for the next round. */
    static final String OLD_DELIVERIES = """
            DELETE FROM flowstone.trigger_deliveries
            WHERE ctid = ANY (ARRAY(
                SELECT d.ctid FROM flowstone.trigger_deliveries d
                WHERE d.ctid >= ('(' || ? || ',0)')::tid AND d.ctid < ('(' || ? || ',0)')::tid
                  AND d.received_at < clock_timestamp() - ? * interval '1 millisecond'
                  AND NOT EXISTS (SELECT FROM flowstone.trigger_ticks k
                                  WHERE k.tenant = d.tenant AND k.trigger_id = d.trigger_id AND k.id = d.id)
                FOR UPDATE OF d SKIP LOCKED))
            """;

    /** As long as receipts of starts live. */
    private static final Duration REQUESTS_KEPT = Duration.ofDays(7);

    private final Database engine;
    private final String table;
    private final String statement;
    private final int blocks;
    private final Duration kept;
    private long next;
    private long end;

    private BlockSweep(Database engine, String table, String statement, int blocks, Duration kept) {
        this.engine = requireNonNull(engine);
        this.table = table;
        this.statement = statement;
        this.blocks = blocks;
        this.kept = kept;
    }

    /** A piece of 2 MiB. */
    static BlockSweep receipts(Database engine) {
        return new BlockSweep(engine, "flowstone.receipts", EXPIRED_RECEIPTS, 256, Duration.ZERO);
    }

    /** A piece of half a MiB, and what its snapshots have elsewhere. */
    static BlockSweep snapshots(Database engine, Duration kept) {
        return new BlockSweep(engine, "flowstone.snapshots", SNAPSHOTS_OF_ENDED_RUNS, 64, kept);
    }

    /** A piece of 2 MiB. Nobody writes such a row twice, so that nobody holds one; of two that remove it one waits, for a moment. */
    static BlockSweep evidence(Database engine, Duration kept) {
        return new BlockSweep(engine, "flowstone.outbox_attempts", OLD_EVIDENCE, 256, kept);
    }

    /** A piece of 2 MiB. */
    static BlockSweep deliveries(Database engine, Duration kept) {
        return new BlockSweep(engine, "flowstone.trigger_deliveries", OLD_DELIVERIES, 256, kept);
    }

    /** A piece of 2 MiB. Nobody writes such a row twice. */
    static BlockSweep requests(Database engine) {
        return new BlockSweep(engine, "flowstone.trigger_requests", REQUESTS_OF_GONE_TRIGGERS, 256, REQUESTS_KEPT);
    }

    @Override
    public long piece() throws JournalException {
        if (isOver()) {
            next = 0;
            end = engine.query(BLOCKS, query -> query.setString(1, table), row -> row.getLong(1))
                    .getFirst();
        }
        if (isOver()) {
            return 0;
        }
        long from = next;
        long to = from + blocks;
        long removed = engine.change(statement, change -> {
            change.setLong(1, from);
            change.setLong(2, to);
            change.setLong(3, kept.toMillis());
        });
        next = to;
        return removed;
    }

    @Override
    public boolean isOver() {
        return next >= end;
    }
}
