package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.task.Transactions.Outcome;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.read.EditWindow;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mutation and the record of its result are one transaction, made once (R17). */
final class TransactionsTest extends PostgresTest {
    private static final ActivationId POST = new ActivationId(new NodeId("post"), 1);

    private Lease lease;
    private RunKey run;

    /** Only {@link #bind} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    TransactionsTest() {}

    @BeforeEach
    void bind() throws Exception {
        admin(Documents.setUp(config(), "7"));
        lease = lease(0);
        run = Moves.run(lease);
        journal().commit(Moves.commit(lease, bound(run, EditWindow.LOCKED)));
    }

    private static RunMove bound(RunKey key, EditWindow window) {
        return Moves.bound(key, new WindowRow(Documents.subject("7"), true, Optional.of(window), 1, false, true));
    }

    private TransactionRequest request(int attempt) {
        return request(lease, attempt, 1, Duration.ofSeconds(5));
    }

    private TransactionRequest request(Lease held, int attempt, long version, Duration timeout) {
        return new TransactionRequest(held, run, Documents.subject("7"), version, POST, attempt, timeout);
    }

    /** The work of a handler that locks nothing beforehand. */
    @FunctionalInterface
    private interface Step extends Transactions.Work {
        @Override
        default void lock(SubjectTransaction transaction) {}
    }

    private static final Step POSTS = transaction -> {
        Documents.change(transaction.sql(), "7", "posted", transaction.newVersion());
        return TaskResult.ok(new JsonString("done"));
    };

    private Outcome execute(TransactionRequest request, Step step) throws Exception {
        return opened().ports().transactions().execute(request, step);
    }

    private static TransactionMessage recorded(Outcome outcome) {
        return TransactionMessage.read(
                assertInstanceOf(Outcome.Recorded.class, outcome).message().content());
    }

    private static TaskResult.Failed failed(Outcome outcome) {
        return assertInstanceOf(
                TaskResult.Failed.class,
                assertInstanceOf(Outcome.Undone.class, outcome).result());
    }

    private long edits() throws Exception {
        return number("SELECT edits FROM public.documents");
    }

    private long version() throws Exception {
        return number("SELECT version FROM flowstone.subjects");
    }

    @Test
    void theMutationAndItsResultAreOneTransaction() throws Exception {
        Outcome outcome = execute(request(1), POSTS);

        TransactionMessage message = recorded(outcome);
        assertEquals(
                new TransactionMessage(POST, 1, new TaskResult.Ok(new JsonString("done")), Optional.of(2L)), message);
        assertEquals(1, edits());
        assertEquals(2, version());
        List<InboxMessage> inbox = journal().inbox(lease, 10);
        assertEquals(1, inbox.size());
        assertEquals(TransactionRequest.key(run, POST, 1), inbox.getFirst().key());
        assertEquals(message.content(), inbox.getFirst().content());
        assertEquals(
                Set.of(TransactionRequest.key(run, POST, 1)),
                opened().ports()
                        .transactions()
                        .recorded(
                                lease,
                                List.of(TransactionRequest.key(run, POST, 1), TransactionRequest.key(run, POST, 2))));
    }

    @Test
    void theSameAttemptIsMadeOnce() throws Exception {
        TransactionMessage first = recorded(execute(request(1), POSTS));

        assertEquals(first, recorded(execute(request(1), POSTS)));

        assertEquals(1, edits());
        assertEquals(2, version());
    }

    @Test
    void aLaterAttemptFindsWhatAnEarlierOneHasRecorded() throws Exception {
        recorded(execute(request(1), POSTS));

        assertEquals(
                1,
                recorded(execute(request(lease, 2, 2, Duration.ofSeconds(5)), POSTS))
                        .attempt());

        assertEquals(1, edits());
    }

    @Test
    void twoExecutionsAtTheSameTimeMutateOnce() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Outcome> first = CompletableFuture.supplyAsync(() -> {
            try {
                return execute(request(1), transaction -> {
                    calls.incrementAndGet();
                    inside.countDown();
                    goOn.await();
                    return POSTS.run(transaction);
                });
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        inside.await();
        CompletableFuture<Outcome> second = CompletableFuture.supplyAsync(() -> {
            try {
                return execute(request(1), transaction -> {
                    calls.incrementAndGet();
                    return POSTS.run(transaction);
                });
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        goOn.countDown();

        assertEquals(recorded(first.get()), recorded(second.get()));
        assertEquals(1, calls.get());
        assertEquals(1, edits());
    }

    @Test
    void aVersionThatTheRunDoesNotKnowIsAConflict() throws Exception {
        TaskResult.Failed failed = failed(execute(request(lease, 1, 0, Duration.ofSeconds(5)), POSTS));

        assertEquals("STALE_SUBJECT_VERSION", failed.error().code());
        assertEquals(FailureClass.PERMANENT, failed.failure());
        assertEquals(0, edits());
    }

    @Test
    void whatIsNoSuccessIsUndone() throws Exception {
        Outcome skipped = execute(request(1), transaction -> {
            POSTS.run(transaction);
            return new TaskResult.Skipped("nothing to post");
        });
        assertInstanceOf(
                TaskResult.Skipped.class,
                assertInstanceOf(Outcome.Undone.class, skipped).result());

        assertThrows(
                IllegalStateException.class,
                () -> execute(request(1), transaction -> {
                    POSTS.run(transaction);
                    throw new IllegalStateException("on purpose");
                }));

        assertEquals(0, edits());
        assertEquals(1, version());
        assertEquals(List.of(), journal().inbox(lease, 10));
    }

    @Test
    void aStatementThatTheDatabaseRefusesIsAPermanentFailure() throws Exception {
        MutationException refused = assertThrows(
                MutationException.class,
                () -> execute(request(1), transaction -> {
                    transaction.sql().update("UPDATE public.documents SET version = NULL");
                    return POSTS.run(transaction);
                }));

        assertEquals(MutationException.REFUSED, refused.code());
        assertEquals(FailureClass.PERMANENT, refused.failure());
        assertEquals(0, edits());
    }

    @Test
    void aRefusalThatIsSwallowedCommitsNothingEither() throws Exception {
        MutationException refused = assertThrows(
                MutationException.class,
                () -> execute(request(1), transaction -> {
                    assertThrows(
                            MutationException.class, () -> transaction.sql().query("SELECT nonsense"));
                    return TaskResult.ok(JsonNull.NULL);
                }));

        assertEquals(MutationException.REFUSED, refused.code());
        assertEquals(1, version());
    }

    @Test
    void nobodyEndsTheTransactionFromWithin() throws Exception {
        for (String sql : List.of(
                "COMMIT",
                " rollback",
                "SET ROLE flowstone_owner",
                "SELECT 1; COMMIT",
                "/**/COMMIT",
                "--\nCOMMIT",
                "DO 'BEGIN END'",
                "CALL nothing()",
                "")) {
            MutationException refused = assertThrows(
                    MutationException.class,
                    () -> execute(request(1), transaction -> {
                        transaction.sql().update(sql);
                        return POSTS.run(transaction);
                    }),
                    sql);
            assertEquals(MutationException.REFUSED, refused.code());
        }
        assertEquals(0, edits());
    }

    @Test
    void aSubjectThatSomebodyHoldsIsARetryableFailure() throws Exception {
        try (Connection other = TestServer.admin(config())) {
            other.setAutoCommit(false);
            run(other, "SELECT FROM flowstone.subjects FOR UPDATE");

            MutationException locked = assertThrows(
                    MutationException.class, () -> execute(request(lease, 1, 1, Duration.ofMillis(300)), POSTS));

            assertTrue(
                    Set.of(MutationException.LOCKED, MutationException.TIMEOUT).contains(locked.code()));
            assertEquals(FailureClass.RETRYABLE, locked.failure());
        }
        recorded(execute(request(2), POSTS));
    }

    @Test
    void whatTakesTooLongIsNotCommitted() throws Exception {
        MutationException late = assertThrows(
                MutationException.class,
                () -> execute(request(lease, 1, 1, Duration.ofMillis(200)), transaction -> {
                    transaction.sql().query("SELECT pg_sleep(5)");
                    return POSTS.run(transaction);
                }));

        assertEquals(MutationException.TIMEOUT, late.code());
        assertEquals(0, edits());
    }

    @Test
    void aNodeThatHasLostItsShardCanNotExecute() throws Exception {
        Lease fresh = takeOver();

        assertThrows(JournalException.StaleEpoch.class, () -> execute(request(1), POSTS));

        assertEquals(0, edits());
        recorded(execute(request(fresh, 1, 1, Duration.ofSeconds(5)), POSTS));
    }

    @Test
    void aTakeoverWaitsForATransactionOfTheOldOwner() throws Exception {
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        CompletableFuture<Lease> taken = new CompletableFuture<>();

        Outcome outcome = execute(request(1), transaction -> {
            Thread.ofVirtual().start(() -> {
                try {
                    taken.complete(takeOver());
                } catch (Exception e) {
                    taken.completeExceptionally(e);
                }
            });
            transaction.sql().query("SELECT pg_sleep(0.3)");
            assertFalse(taken.isDone(), "the fence is locked");
            return POSTS.run(transaction);
        });

        recorded(outcome);
        assertEquals(
                Set.of(TransactionRequest.key(run, POST, 1)),
                opened().ports().transactions().recorded(taken.get(), List.of(TransactionRequest.key(run, POST, 1))));
    }

    /** The driver refuses a statement that returns rows where none are expected; once that was tried again for ever. */
    @Test
    void aStatementOfTheWrongKindIsAPermanentFailure() {
        assertRefused(transaction ->
                transaction.sql().update("UPDATE public.documents SET status = 'x' WHERE id = '7' RETURNING id"));
    }

    @Test
    void aConstraintThatIsJudgedAtTheEndIsAPermanentFailure() throws Exception {
        admin(
                "CREATE TABLE public.notes (id text PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)",
                "GRANT SELECT, INSERT ON public.notes TO " + config().roles().api());

        assertRefused(transaction -> {
            transaction.sql().update("INSERT INTO public.notes VALUES ('a')");
            transaction.sql().update("INSERT INTO public.notes VALUES ('a')");
        });

        assertEquals(List.of(), journal().inbox(lease, 10));
        assertEquals(1, version());
    }

    /** The database wouldn't mind: these never reach it, or have been made. */
    @Test
    @SuppressWarnings("NullAway") // a null parameter, on purpose
    void whatFailsWithoutEndingTheTransactionIsNotCommittedThoughItIsSwallowed() throws Exception {
        List<Consumer<SubjectTransaction>> failing = List.of(
                transaction -> transaction.sql().update("COMMIT"),
                transaction -> transaction.sql().query("SELECT 1; SELECT 2"),
                transaction -> transaction.sql().query("SELECT ?", 1.5),
                transaction -> transaction.sql().query("SELECT ?", (Object) null),
                transaction -> transaction
                        .sql()
                        .update("UPDATE public.documents SET status = 'x' WHERE id = '7' RETURNING id"));
        for (Consumer<SubjectTransaction> step : failing) {
            assertRefused(transaction -> assertThrows(MutationException.class, () -> step.accept(transaction)));
        }

        assertEquals(0, edits());
        assertEquals(1, version());
    }

    /** What its trigger raises looks like a bug of a statement of ours. */
    @Test
    void aTriggerThatRefusesAtTheEndIsAPermanentFailure() throws Exception {
        admin(
                "CREATE TABLE public.guarded (id text)",
                "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$BEGIN RAISE EXCEPTION 'never' USING ERRCODE = '42501'; END$$",
                "CREATE CONSTRAINT TRIGGER refuses AFTER INSERT ON public.guarded DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION public.refuse()",
                "GRANT SELECT, INSERT ON public.guarded TO " + config().roles().api());

        assertRefused(transaction -> transaction.sql().update("INSERT INTO public.guarded VALUES ('a')"));

        assertEquals(1, version());
    }

    /** A function of the user's may do so; what it changed is seen before anything of ours follows. */
    @Test
    void nobodyBecomesAnotherTenantFromWithin() throws Exception {
        admin("CREATE FUNCTION public.become(tenant text) RETURNS text LANGUAGE sql AS"
                + " $$SELECT set_config('flowstone.tenant', tenant, true)$$");

        assertRefused(transaction -> transaction.sql().query("SELECT public.become('other')"));

        assertEquals(1, version());
    }

    @Test
    void settingsOfTheSessionAreNotChangedFromWithin() throws Exception {
        for (String sql : List.of(
                "SELECT set_config('flowstone.tenant', 'other', true)",
                "SELECT pg_catalog.SET_CONFIG('statement_timeout', '0', false)",
                "WITH a AS (UPDATE pg_settings SET setting = '0' WHERE name = 'lock_timeout' RETURNING 1) SELECT 1")) {
            assertRefused(transaction -> transaction.sql().query(sql));
        }

        assertEquals(1, version());
    }

    private Optional<Outcome.Recorded> find(int attempt) throws Exception {
        return opened().ports().transactions().find(request(attempt));
    }

    @Test
    void whatWasRecordedIsFoundByAnAttemptAndThoseAfterIt() throws Exception {
        assertEquals(Optional.empty(), find(1));
        TransactionMessage first = recorded(execute(request(1), POSTS));

        assertEquals(first, recorded(find(1).orElseThrow()));
        assertEquals(first, recorded(find(2).orElseThrow()));
        assertEquals(1, edits());
    }

    /** One whose connection broke may still be committing in the database; then nobody knows yet. */
    @Test
    void whatIsStillUnderWayIsNotYetFound() throws Exception {
        CompletableFuture<Outcome> first = new CompletableFuture<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Thread.startVirtualThread(() -> {
            try {
                first.complete(execute(request(1), transaction -> {
                    inside.countDown();
                    go.await();
                    return POSTS.run(transaction);
                }));
            } catch (Exception e) {
                first.completeExceptionally(e);
            }
        });
        inside.await();

        MutationException locked = assertThrows(MutationException.class, () -> find(1));

        assertEquals(MutationException.LOCKED, locked.code());
        go.countDown();
        recorded(first.join());
        assertTrue(find(1).isPresent());
    }

    /** Does it, and then posts. */
    private void assertRefused(Consumer<SubjectTransaction> before) {
        MutationException refused = assertThrows(
                MutationException.class,
                () -> execute(request(1), transaction -> {
                    before.accept(transaction);
                    return POSTS.run(transaction);
                }));
        assertEquals(MutationException.REFUSED, refused.code());
        assertEquals(FailureClass.PERMANENT, refused.failure());
    }

    /** Each statement is quick; together they would hold for long what others wait for. */
    @Test
    void manyShortStatementsTakeTooLongTogether() throws Exception {
        AtomicInteger made = new AtomicInteger();

        MutationException late = assertThrows(
                MutationException.class,
                () -> execute(request(lease, 1, 1, Duration.ofMillis(200)), transaction -> {
                    for (int i = 0; i < 100; i++) {
                        transaction.sql().query("SELECT pg_sleep(0.02)");
                        made.incrementAndGet();
                    }
                    return POSTS.run(transaction);
                }));

        assertEquals(MutationException.TIMEOUT, late.code());
        assertTrue(made.get() < 20, made::toString);
        assertEquals(0, edits());
    }

    @Test
    void whatIsGivenUpIsNotCommitted() throws Exception {
        MutationException late = assertThrows(
                MutationException.class,
                () -> execute(request(1), new Step() {
                    @Override
                    public TaskResult run(SubjectTransaction transaction) throws Exception {
                        return POSTS.run(transaction);
                    }

                    @Override
                    public boolean mayCommit() {
                        return false;
                    }
                }));

        assertEquals(MutationException.TIMEOUT, late.code());
        assertEquals(0, edits());
        assertEquals(List.of(), journal().inbox(lease, 10));
    }

    private Lease takeOver() throws Exception {
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        return opened().ports()
                .leases()
                .acquire(new ShardId(0), "another", Duration.ofMinutes(5))
                .orElseThrow();
    }

    @Test
    void otherRunsOnTheSubjectHearOfItAndTheOneThatDidItDoesNot() throws Exception {
        RunKey other = Moves.run(lease);
        journal().commit(Moves.commit(lease, bound(other, EditWindow.OPEN)));

        execute(request(1), POSTS);

        List<InboxMessage> told = journal().inbox(lease, 10).stream()
                .filter(message -> message.kind().equals("subject-changed"))
                .toList();
        assertEquals(1, told.size());
        assertEquals(other.run(), told.getFirst().run());
    }

    @Test
    void aHandlerMayLeaveTheVersionAsItIs() throws Exception {
        Outcome outcome = execute(request(1), transaction -> {
            transaction.keepVersion();
            return TaskResult.ok(new JsonString("looked"));
        });

        assertEquals(Optional.empty(), recorded(outcome).subjectVersion());
        assertEquals(1, version());
    }

    @Test
    void anEditAndATransactionTakeTurns() throws Exception {
        recorded(execute(request(1), POSTS));
        admin("UPDATE flowstone.subject_windows SET mode = 'EDITABLE'");

        opened().ports()
                .subjects()
                .mutate(
                        new SubjectChange(run.tenant(), Documents.subject("7"), 2, Set.of(), Optional.empty()),
                        Documents.edit("7", "reopened"));

        assertEquals(2, edits());
        assertEquals(3, version());
        assertEquals(
                "STALE_SUBJECT_VERSION",
                failed(opened().ports()
                                .transactions()
                                .execute(
                                        new TransactionRequest(
                                                lease,
                                                run,
                                                Documents.subject("7"),
                                                2,
                                                new ActivationId(new NodeId("post"), 2),
                                                1,
                                                Duration.ofSeconds(5)),
                                        POSTS))
                        .error()
                        .code());
    }
}
