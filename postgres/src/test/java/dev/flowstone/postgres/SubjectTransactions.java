package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.task.Transactions.Outcome;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.read.EditWindow;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** What tests of transactional tasks share (R17): a run bound to a document, and a handler that posts it. */
abstract class SubjectTransactions extends PostgresTest {
    static final ActivationId POST = new ActivationId(new NodeId("post"), 1);

    Lease lease;

    RunKey run;

    /** Only {@link #bind} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    SubjectTransactions() {}

    @BeforeEach
    void bind() throws Exception {
        admin(Documents.setUp(config(), "7"));
        lease = lease(0);
        run = Moves.run(lease);
        journal().commit(Moves.commit(lease, bound(run, EditWindow.LOCKED)));
    }

    static RunMove bound(RunKey key, EditWindow window) {
        return Moves.bound(key, new WindowRow(Documents.subject("7"), true, Optional.of(window), 1, false, true));
    }

    TransactionRequest request(int attempt) {
        return request(lease, attempt, 1, Duration.ofSeconds(5));
    }

    TransactionRequest request(Lease held, int attempt, long version, Duration timeout) {
        return new TransactionRequest(held, run, Documents.subject("7"), version, POST, attempt, timeout);
    }

    /** The work of a handler that locks nothing beforehand. */
    @FunctionalInterface
    interface Step extends Transactions.Work {
        @Override
        default void lock(SubjectTransaction transaction) {}
    }

    static final Step POSTS = transaction -> {
        Documents.change(transaction.sql(), "7", "posted", transaction.newVersion());
        return TaskResult.ok(new JsonString("done"));
    };

    Outcome execute(TransactionRequest request, Step step) throws Exception {
        return opened().ports().transactions().execute(request, step);
    }

    static TransactionMessage recorded(Outcome outcome) {
        return TransactionMessage.read(
                assertInstanceOf(Outcome.Recorded.class, outcome).message().content());
    }

    static TaskResult.Failed failed(Outcome outcome) {
        return assertInstanceOf(
                TaskResult.Failed.class,
                assertInstanceOf(Outcome.Undone.class, outcome).result());
    }

    long edits() throws Exception {
        return number("SELECT edits FROM public.documents");
    }

    long version() throws Exception {
        return number("SELECT version FROM flowstone.subjects");
    }

    Optional<Outcome.Recorded> find(int attempt) throws Exception {
        return opened().ports().transactions().find(request(attempt));
    }

    Lease takeOver() throws Exception {
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        return acquire().orElseThrow();
    }

    /** By another node. */
    Optional<Lease> acquire() throws JournalException {
        return opened().ports().leases().acquire(new ShardId(0), "another", Duration.ofMinutes(5));
    }
}
