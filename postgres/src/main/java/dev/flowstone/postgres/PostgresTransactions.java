package dev.flowstone.postgres;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Transactional tasks, each one transaction of the API's role: it sees one tenant, and no more of the journal than the
 * inbox. Locked are, in this order: the shard's fence, so that a takeover waits for it; the subject's own row; its rows
 * here. Only then it looks whether it was done before: whoever did it has committed or is gone.
 */
final class PostgresTransactions implements Transactions {
    private static final Duration LOCK = Duration.ofSeconds(2);

    /** How many attempts before this one are looked for. */
    private static final int REMEMBERED = 100;

    private final Database engine;
    private final Database api;
    private final int atOnce;

    /**
     * Those of a node.
     *
     * @param atOnce how many of the API's connections they may hold
     */
    PostgresTransactions(Database engine, Database api, int atOnce) {
        this.engine = engine;
        this.api = api;
        this.atOnce = atOnce;
    }

    @Override
    public int atOnce() {
        return atOnce;
    }

    @Override
    public Outcome execute(TransactionRequest request, Work work) throws Exception {
        return api.shared(
                request.run().tenant(), limits(request), (connection, sql) -> execute(connection, sql, request, work));
    }

    private static Database.Limits limits(TransactionRequest request) {
        Duration longest = request.timeout().compareTo(LONGEST) < 0 ? request.timeout() : LONGEST;
        return new Database.Limits(longest.compareTo(LOCK) < 0 ? longest : LOCK, longest);
    }

    /** Whoever is still committing holds the subject's row. */
    @Override
    public Optional<Outcome.Recorded> find(TransactionRequest request) throws Exception {
        return api.shared(request.run().tenant(), limits(request), (connection, sql) -> {
            fence(connection, request.lease());
            lock(connection, request);
            return Database.Ended.undone(before(connection, request).map(Outcome.Recorded::new));
        });
    }

    private static SubjectRows lock(Connection connection, TransactionRequest request) throws SQLException {
        SubjectKey key = new SubjectKey(request.run().tenant(), request.subject());
        return SubjectRows.lock(connection, key, request.run().run().slot().number(), request.expectedVersion());
    }

    /** One that was interrupted or given up isn't committed. */
    private static void mayCommit(Work work) {
        if (Thread.currentThread().isInterrupted()) {
            throw new MutationException(FailureClass.RETRYABLE, "INTERRUPTED", "it was interrupted and not committed");
        }
        if (!work.mayCommit()) {
            throw new MutationException(
                    FailureClass.RETRYABLE, MutationException.TIMEOUT, "it was given up and not committed");
        }
    }

    private static Database.Ended<Outcome> execute(
            Connection connection, JdbcSql sql, TransactionRequest request, Work work) throws Exception {
        fence(connection, request.lease());
        Held held = new Held(request, sql);
        work.lock(held);
        SubjectRows rows = lock(connection, request);
        Optional<InboxMessage> before = before(connection, request);
        if (before.isPresent()) {
            return Database.Ended.undone(new Outcome.Recorded(before.get()));
        }
        if (rows.version() != request.expectedVersion()) {
            return undone(TaskResult.permanent(
                    "STALE_SUBJECT_VERSION",
                    request.subject() + " has version " + rows.version() + ", not " + request.expectedVersion()
                            + " as the run knows it"));
        }
        TaskResult result = work.run(held);
        if (!(result instanceof TaskResult.Ok ok)) {
            return undone(result);
        }
        sql.checkTenant(request.run().tenant());
        if (held.raises) {
            rows.raise(Optional.of(request.run().run()));
        }
        return new Database.Ended<>(
                new Outcome.Recorded(record(connection, request, held, ok)), true, () -> mayCommit(work));
    }

    private static Database.Ended<Outcome> undone(TaskResult result) {
        return Database.Ended.undone(new Outcome.Undone(result));
    }

    private static InboxMessage record(Connection connection, TransactionRequest request, Held held, TaskResult.Ok ok)
            throws SQLException {
        TransactionMessage message = new TransactionMessage(
                request.activation(),
                request.attempt(),
                ok,
                held.raises ? Optional.of(held.newVersion()) : Optional.empty());
        InboxKey key = TransactionRequest.key(request.run(), request.activation(), request.attempt());
        SubjectRows.leave(connection, key, request.run().run(), TransactionMessage.KIND, message.content());
        return new InboxMessage(key, request.run().run(), TransactionMessage.KIND, message.content(), Instant.EPOCH);
    }

    private static void fence(Connection connection, Lease lease) throws SQLException, JournalException {
        try (PreparedStatement fence = connection.prepareStatement("SELECT flowstone.holds_shard(?, ?, ?)")) {
            Fence.bind(fence, 1, lease);
            try (ResultSet row = fence.executeQuery()) {
                if (!row.next() || !row.getBoolean(1)) {
                    throw Fence.stale(lease);
                }
            }
        }
    }

    private static final String BEFORE = """
            SELECT i.key, i.run_id, i.kind, i.content, i.received_at
            FROM unnest(?) AS k (key)
            JOIN flowstone.inbox i ON i.tenant = ? AND i.source = ? AND i.key = k.key
            LIMIT 1
            """;

    private static Optional<InboxMessage> before(Connection connection, TransactionRequest request)
            throws SQLException {
        TenantId tenant = request.run().tenant();
        List<String> keys = new ArrayList<>();
        for (int attempt = Math.max(1, request.attempt() - REMEMBERED); attempt <= request.attempt(); attempt++) {
            keys.add(TransactionRequest.key(request.run(), request.activation(), attempt)
                    .key());
        }
        return Database.query(
                        connection,
                        BEFORE,
                        query -> {
                            query.setObject(1, BinaryArray.texts(keys, key -> key));
                            query.setString(2, tenant.value());
                            query.setString(3, TransactionRequest.SOURCE);
                        },
                        row -> new InboxMessage(
                                new InboxKey(tenant, TransactionRequest.SOURCE, row.getString(1)),
                                new RunId(row.getObject(2, UUID.class)),
                                row.getString(3),
                                Json.read(row.getBytes(4)),
                                Times.instant(row, 5)))
                .stream()
                .findFirst();
    }

    private static final String RECORDED = """
            SELECT i.tenant, i.source, i.key
            FROM unnest(?, ?, ?) AS k (tenant, source, key)
            JOIN flowstone.inbox i ON i.tenant = k.tenant AND i.source = k.source AND i.key = k.key
            WHERE NOT i.consumed AND i.slot BETWEEN ? AND ?
            """;

    @Override
    public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) throws JournalException {
        List<InboxKey> wanted = List.copyOf(keys);
        return new HashSet<>(engine.query(
                RECORDED,
                query -> {
                    query.setObject(
                            1, BinaryArray.texts(wanted, key -> key.tenant().value()));
                    query.setObject(2, BinaryArray.texts(wanted, InboxKey::source));
                    query.setObject(3, BinaryArray.texts(wanted, InboxKey::key));
                    query.setInt(4, lease.shard().firstSlot());
                    query.setInt(5, lease.shard().lastSlot());
                },
                row -> new InboxKey(new TenantId(row.getString(1)), row.getString(2), row.getString(3))));
    }

    /** What the handler holds. */
    private static final class Held implements SubjectTransaction {
        private final TransactionRequest request;
        private final SqlHandle sql;
        private boolean raises = true;

        Held(TransactionRequest request, SqlHandle sql) {
            this.request = request;
            this.sql = sql;
        }

        @Override
        public Subject subject() {
            return request.subject();
        }

        @Override
        public long version() {
            return request.expectedVersion();
        }

        @Override
        public long newVersion() {
            return request.expectedVersion() + 1;
        }

        @Override
        public void keepVersion() {
            raises = false;
        }

        @Override
        public SqlHandle sql() {
            return sql;
        }
    }
}
