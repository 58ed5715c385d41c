package dev.flowstone.postgres;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.HeldRun;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.JournalException.BadData;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The journal on PostgreSQL, as the engine's role. Every method is one statement and one message each way; nothing of a
 * session is relied on, so that a transaction-pooling proxy may stand between.
 */
final class PostgresJournal implements Journal {
    private static final int ATTEMPTS = 4;

    private final Database engine;
    private final Function<ShardId, Shard> shards;

    PostgresJournal(Database engine, Function<ShardId, Shard> shards) {
        this.engine = engine;
        this.shards = shards;
    }

    @Override
    public Committed commit(Commit commit) throws JournalException {
        CommitRows rows = rows(commit);
        boolean mended = false;
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = engine.connect()) {
                return CommitCall.execute(connection, commit.lease(), rows);
            } catch (UnstorableValueException e) {
                throw new BadData(String.valueOf(e.getMessage()), e);
            } catch (SQLException e) {
                if (SqlErrors.partitionMissing(e) && !mended) {
                    mended = true;
                    makePartitions(rows, e);
                } else if (!SqlErrors.retryable(e) || attempt >= ATTEMPTS) {
                    throw SqlErrors.ofCommit(e);
                }
            }
        }
    }

    private static CommitRows rows(Commit commit) throws BadData {
        try {
            return CommitRows.of(commit);
        } catch (UnstorableValueException e) {
            throw new BadData(String.valueOf(e.getMessage()), e);
        }
    }

    /** Months are made long ahead; if one is missing all the same, nobody needs to notice. */
    private void makePartitions(CommitRows rows, SQLException missing) throws JournalException {
        Instant latest = rows.moves().stream()
                .map(move -> move.key().run().birth())
                .max(Instant::compareTo)
                .orElseThrow();
        try {
            Partitions.ensure(engine, latest);
        } catch (Unavailable e) {
            throw e;
        } catch (JournalException e) {
            throw SqlErrors.ofRead(missing);
        }
    }

    @Override
    public Map<RunKey, StoredRun> load(ShardId shard, Collection<RunKey> runs) throws JournalException {
        return runs.isEmpty()
                ? Map.of()
                : engine.read(connection -> LoadQuery.execute(connection, shards.apply(shard), List.copyOf(runs)));
    }

    @Override
    public Map<RunKey, StoredRun> loadWhole(ShardId shard, Collection<RunKey> runs) throws JournalException {
        return runs.isEmpty()
                ? Map.of()
                : engine.read(connection -> LoadQuery.whole(connection, shards.apply(shard), List.copyOf(runs)));
    }

    /** A run's id begins with its birth, so that the key's index has them in order. */
    private static final String RESETS = """
            SELECT run_id
            FROM flowstone.receipts
            WHERE tenant = ? AND scope = ?
            ORDER BY key
            LIMIT ?
            """;

    @Override
    public List<RunId> resets(TenantId tenant, RunId of, int limit) throws JournalException {
        return engine.query(
                RESETS,
                query -> {
                    query.setString(1, tenant.value());
                    query.setString(2, ReceiptKey.resets(of));
                    query.setInt(3, limit);
                },
                row -> new RunId(row.getObject(1, UUID.class)));
    }

    private static final String RECEIPTS = """
            SELECT r.tenant, r.scope, r.key, r.request, r.run_id, r.answer, r.expires_at
            FROM unnest(?, ?, ?) AS k (tenant, scope, key)
            JOIN flowstone.receipts r ON r.tenant = k.tenant AND r.scope = k.scope AND r.key = k.key
            WHERE r.slot BETWEEN ? AND ? AND r.expires_at > clock_timestamp()
            """;

    @Override
    public Map<ReceiptKey, Receipt> receipts(ShardId shard, Collection<ReceiptKey> keys) throws JournalException {
        if (keys.isEmpty()) {
            return Map.of();
        }
        List<ReceiptKey> wanted = List.copyOf(keys);
        Shard range = shards.apply(shard);
        Map<ReceiptKey, Receipt> found = new HashMap<>();
        engine.query(
                        RECEIPTS,
                        query -> {
                            query.setObject(
                                    1,
                                    BinaryArray.texts(
                                            wanted, key -> key.tenant().value()));
                            query.setObject(2, BinaryArray.texts(wanted, ReceiptKey::scope));
                            query.setObject(3, BinaryArray.texts(wanted, ReceiptKey::key));
                            query.setInt(4, range.firstSlot());
                            query.setInt(5, range.lastSlot());
                        },
                        row -> {
                            ReceiptKey key =
                                    new ReceiptKey(new TenantId(row.getString(1)), row.getString(2), row.getString(3));
                            return new Receipt(
                                    key,
                                    Sha256.ofBytes(row.getBytes(4)),
                                    new RunId(row.getObject(5, UUID.class)),
                                    Json.read(row.getBytes(6)),
                                    Times.instant(row, 7));
                        })
                .forEach(receipt -> found.put(receipt.key(), receipt));
        return found;
    }

    @Override
    public Map<SubjectKey, StoredSubject> subjects(ShardId shard, Collection<SubjectKey> keys) throws JournalException {
        return keys.isEmpty()
                ? Map.of()
                : engine.read(connection -> SubjectQuery.execute(connection, shards.apply(shard), List.copyOf(keys)));
    }

    private static final String AWAKE = """
            SELECT tenant, run_id FROM flowstone.runs
            WHERE awake AND slot BETWEEN ? AND ? AND (tenant, run_id) > (?, ?)
            ORDER BY tenant, run_id
            LIMIT ?
            """;

    private static final UUID NO_RUN = new UUID(0, 0);

    @Override
    public List<RunKey> awake(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        Shard range = shards.apply(shard);
        return engine.query(
                AWAKE,
                query -> {
                    query.setInt(1, range.firstSlot());
                    query.setInt(2, range.lastSlot());
                    query.setString(3, after.map(key -> key.tenant().value()).orElse(""));
                    query.setObject(4, after.map(key -> key.run().value()).orElse(NO_RUN));
                    query.setInt(5, limit);
                },
                row -> key(row.getString(1), row.getObject(2, UUID.class)));
    }

    private static final String TIMERS = """
            SELECT tenant, run_id, timer_id, generation, due_at FROM flowstone.timers
            WHERE slot BETWEEN ? AND ? AND due_at < ? AND (due_at, tenant, run_id, timer_id) > (?, ?, ?, ?)
            ORDER BY due_at, tenant, run_id, timer_id
            LIMIT ?
            """;

    @Override
    public List<TimerRow> timers(ShardId shard, Instant before, Optional<TimerRow> after, int limit)
            throws JournalException {
        Shard range = shards.apply(shard);
        return engine.query(
                TIMERS,
                query -> {
                    query.setInt(1, range.firstSlot());
                    query.setInt(2, range.lastSlot());
                    query.setObject(3, Times.parameter(before));
                    query.setObject(
                            4, Times.parameter(after.map(TimerRow::dueAt).orElse(Times.EARLIEST)));
                    query.setString(
                            5, after.map(row -> row.run().tenant().value()).orElse(""));
                    query.setObject(6, after.map(row -> row.run().run().value()).orElse(NO_RUN));
                    query.setString(7, after.map(row -> row.timer().value()).orElse(""));
                    query.setInt(8, limit);
                },
                row -> new TimerRow(
                        key(row.getString(1), row.getObject(2, UUID.class)),
                        new TimerId(row.getString(3)),
                        row.getInt(4),
                        Times.instant(row, 5)));
    }

    private static final String HELD = """
            SELECT t.tenant, t.run_id, r.workflow
            FROM flowstone.timers t
            JOIN flowstone.runs r ON r.tenant = t.tenant AND r.run_id = t.run_id
            WHERE t.timer_id = 'hold' AND t.slot BETWEEN ? AND ? AND (t.tenant, t.run_id) > (?, ?)
            ORDER BY t.tenant, t.run_id
            LIMIT ?
            """;

    @Override
    public List<HeldRun> held(ShardId shard, Optional<RunKey> after, int limit) throws JournalException {
        Shard range = shards.apply(shard);
        return engine.query(
                HELD,
                query -> {
                    query.setInt(1, range.firstSlot());
                    query.setInt(2, range.lastSlot());
                    query.setString(3, after.map(key -> key.tenant().value()).orElse(""));
                    query.setObject(4, after.map(key -> key.run().value()).orElse(NO_RUN));
                    query.setInt(5, limit);
                },
                row -> new HeldRun(
                        key(row.getString(1), row.getObject(2, UUID.class)), new WorkflowId(row.getString(3))));
    }

    private static final String LETTERS = """
            SELECT tenant, sender, number, receiver, content FROM flowstone.letters
            WHERE slot BETWEEN ? AND ? AND (tenant, sender, number, receiver) > (?, ?, ?, ?)
            ORDER BY tenant, sender, number, receiver
            LIMIT ?
            """;

    @Override
    public List<Letter> letters(ShardId shard, Optional<LetterKey> after, int limit) throws JournalException {
        Shard range = shards.apply(shard);
        return engine.query(
                LETTERS,
                query -> {
                    query.setInt(1, range.firstSlot());
                    query.setInt(2, range.lastSlot());
                    query.setString(3, after.map(key -> key.tenant().value()).orElse(""));
                    query.setObject(4, after.map(key -> key.sender().value()).orElse(NO_RUN));
                    query.setLong(5, after.map(LetterKey::number).orElse(0L));
                    query.setObject(6, after.map(key -> key.receiver().value()).orElse(NO_RUN));
                    query.setInt(7, limit);
                },
                row -> new Letter(
                        new LetterKey(
                                new TenantId(row.getString(1)),
                                new RunId(row.getObject(2, UUID.class)),
                                row.getLong(3),
                                new RunId(row.getObject(4, UUID.class))),
                        Json.read(row.getBytes(5))));
    }

    private static final String PAYLOADS = """
            SELECT p.hash, p.bytes
            FROM unnest(?) AS h (hash)
            JOIN flowstone.payloads p ON p.tenant = ? AND p.hash = h.hash
            """;

    @Override
    public Map<Sha256, byte[]> payloads(TenantId tenant, Collection<Sha256> hashes) throws JournalException {
        return hashes.isEmpty()
                ? Map.of()
                : engine.read(connection -> payloads(connection, tenant, List.copyOf(hashes)));
    }

    static Map<Sha256, byte[]> payloads(Connection connection, TenantId tenant, List<Sha256> hashes)
            throws SQLException {
        Map<Sha256, byte[]> found = new HashMap<>();
        try (var query = connection.prepareStatement(PAYLOADS)) {
            query.setObject(1, BinaryArray.bytes(hashes, Sha256::bytes));
            query.setString(2, tenant.value());
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    found.put(Sha256.ofBytes(rows.getBytes(1)), rows.getBytes(2));
                }
            }
        }
        return found;
    }

    private static final String INBOX = """
            SELECT i.tenant, i.source, i.key, i.run_id, i.kind, i.content, i.received_at
            FROM flowstone.epochs e
            LEFT JOIN LATERAL (
                SELECT * FROM flowstone.inbox
                WHERE NOT consumed AND slot BETWEEN ? AND ?
                ORDER BY received_at, tenant, source, key
                LIMIT ?
            ) i ON true
            WHERE e.shard = ? AND e.epoch = ? AND e.holder = ?
            ORDER BY i.received_at, i.tenant, i.source, i.key
            """;

    @Override
    public List<InboxMessage> inbox(Lease lease, int limit) throws JournalException {
        return Fence.rows(
                engine.query(
                        INBOX,
                        query -> {
                            query.setInt(1, lease.shard().firstSlot());
                            query.setInt(2, lease.shard().lastSlot());
                            query.setInt(3, limit);
                            Fence.bind(query, 4, lease);
                        },
                        row -> row.getString(1) == null ? Optional.empty() : Optional.of(message(row))),
                lease);
    }

    private static InboxMessage message(ResultSet row) throws SQLException {
        return new InboxMessage(
                new InboxKey(new TenantId(row.getString(1)), row.getString(2), row.getString(3)),
                new RunId(row.getObject(4, UUID.class)),
                row.getString(5),
                Json.read(row.getBytes(6)),
                Times.instant(row, 7));
    }

    static RunKey key(String tenant, UUID run) {
        return new RunKey(new TenantId(tenant), new RunId(run));
    }
}
