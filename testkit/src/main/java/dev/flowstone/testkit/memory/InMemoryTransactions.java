package dev.flowstone.testkit.memory;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.Subject;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Transactional tasks, one at a time. They find no rows to change here, but may do what they like elsewhere once they are committed. */
final class InMemoryTransactions implements Transactions {
    /** As few as on a real database with connections for eight, so that some have to wait for others. */
    private static final int AT_ONCE = 4;

    private final InMemoryDatabase database;

    InMemoryTransactions(InMemoryDatabase database) {
        this.database = database;
    }

    /** What was recorded, also of what was consumed since; guarded by the database. */
    static final class Table {
        private final Map<InboxKey, InboxMessage> recorded = new HashMap<>();

        /** Of this attempt or the newest one before it. */
        private Optional<InboxMessage> upTo(TransactionRequest request) {
            for (int attempt = request.attempt(); attempt > 0; attempt--) {
                InboxMessage message =
                        recorded.get(TransactionRequest.key(request.run(), request.activation(), attempt));
                if (message != null) {
                    return Optional.of(message);
                }
            }
            return Optional.empty();
        }
    }

    @Override
    public int atOnce() {
        return AT_ONCE;
    }

    @Override
    public Outcome execute(TransactionRequest request, Work work) throws Exception {
        synchronized (database) {
            database.checkEpoch(request.lease());
            Held held = new Held(request);
            work.lock(held);
            SubjectKey key = new SubjectKey(request.run().tenant(), request.subject());
            SubjectTables.Row row = database.subjects.row(key, request.expectedVersion());
            Optional<InboxMessage> before = database.transactions.upTo(request);
            if (before.isPresent()) {
                return new Outcome.Recorded(before.get());
            }
            if (row.version != request.expectedVersion()) {
                return new Outcome.Undone(TaskResult.permanent(
                        "STALE_SUBJECT_VERSION",
                        request.subject() + " has version " + row.version + ", not " + request.expectedVersion()
                                + " as the run knows it"));
            }
            TaskResult result = requireNonNull(work.run(held));
            if (!(result instanceof TaskResult.Ok ok)) {
                return new Outcome.Undone(result);
            }
            if (!work.mayCommit()) {
                throw new MutationException(
                        FailureClass.RETRYABLE, MutationException.TIMEOUT, "it was given up and not committed");
            }
            return new Outcome.Recorded(committed(request, row, held, ok));
        }
    }

    private InboxMessage committed(TransactionRequest request, SubjectTables.Row row, Held held, TaskResult.Ok ok) {
        if (held.raises) {
            row.version = held.newVersion();
            database.subjects.keep(new SubjectKey(request.run().tenant(), request.subject()), row);
            for (RunKey run : row.live()) {
                if (!run.equals(request.run())) {
                    database.tell(run, row.version);
                }
            }
        }
        TransactionMessage message = new TransactionMessage(
                request.activation(),
                request.attempt(),
                ok,
                held.raises ? Optional.of(held.newVersion()) : Optional.empty());
        InboxMessage recorded = new InboxMessage(
                TransactionRequest.key(request.run(), request.activation(), request.attempt()),
                request.run().run(),
                TransactionMessage.KIND,
                message.content(),
                database.clock.now());
        database.transactions.recorded.put(recorded.key(), recorded);
        database.inboxSeen.add(recorded.key());
        database.inbox.put(recorded.key(), recorded);
        return recorded;
    }

    @Override
    public Optional<Outcome.Recorded> find(TransactionRequest request) throws JournalException {
        synchronized (database) {
            database.checkEpoch(request.lease());
            return database.transactions.upTo(request).map(Outcome.Recorded::new);
        }
    }

    @Override
    public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) throws JournalException {
        synchronized (database) {
            Set<InboxKey> found = new HashSet<>(keys);
            found.retainAll(database.inbox.keySet());
            return found;
        }
    }

    /** What a handler holds. */
    private static final class Held implements SubjectTransaction {
        private final TransactionRequest request;
        private boolean raises = true;

        Held(TransactionRequest request) {
            this.request = request;
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
            return InMemorySubjects.NO_SQL;
        }
    }
}
