package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions.Outcome;
import dev.flowstone.kernel.command.FailureClass;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Transactions that wait for each other, take too long, or are overtaken by what happens to their shard. */
final class TransactionRaceTest extends SubjectTransactions {
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
    void aSubjectThatSomebodyHoldsIsARetryableFailure() throws Exception {
        try (Connection other = TestServer.admin(config())) {
            other.setAutoCommit(false);
            run(other, "SELECT FROM flowstone.subjects FOR UPDATE");

            MutationException locked = assertThrows(
                    MutationException.class, () -> execute(request(lease, 1, 1, Duration.ofMillis(300)), POSTS));

            assertTrue(
                    Set.of(MutationException.LOCKED, MutationException.TIMEOUT).contains(locked.code()));
            assertEquals(FailureClass.RETRYABLE, locked.failure());
            other.rollback();
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

    /** It isn't had before: what the old owner's node has under way is recorded when its successor asks. */
    @Test
    void aShardIsNotTakenOverWhileATransactionOfTheOldOwnerIsUnderWay() throws Exception {
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");

        Outcome outcome = execute(request(1), transaction -> {
            assertEquals(Optional.empty(), acquire(), "the fence is locked");
            return POSTS.run(transaction);
        });

        recorded(outcome);
        assertEquals(
                Set.of(TransactionRequest.key(run, POST, 1)),
                opened().ports()
                        .transactions()
                        .recorded(acquire().orElseThrow(), List.of(TransactionRequest.key(run, POST, 1))));
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
}
