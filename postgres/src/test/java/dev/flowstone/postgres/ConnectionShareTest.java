package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handlers that hold their connections for long leave some for people's requests, however many handlers there are. */
final class ConnectionShareTest extends SubjectTransactions {
    private static final int NAMES = 6;

    private final CountDownLatch inside = new CountDownLatch(2);
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @Test
    void atMostHalfOfTheConnectionsAreTransactions() throws Exception {
        assertEquals(2, opened().ports().transactions().atOnce(), "of four");
        try (PostgresPorts one = PostgresPorts.open(config().withConnections(1, 1))) {
            assertEquals(1, one.ports().transactions().atOnce());
        }
    }

    @Test
    void handlersOfManyNamesThatAreStuckKeepNobodyFromReading() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            TaskDispatcher dispatcher = dispatcher(threads);
            for (int i = 0; i < NAMES; i++) {
                for (int times = 0; times < 2; times++) {
                    dispatcher.submit(
                            new TaskRun(new TenantId("acme"), new WorkflowId("w"), name(i), this::hold, _ -> {}));
                }
            }
            try {
                assertTrue(inside.await(20, TimeUnit.SECONDS));

                // Without a connection to be had it would wait ten seconds, and fail.
                var found = CompletableFuture.supplyAsync(this::read, threads).get(8, TimeUnit.SECONDS);

                assertTrue(found);
                assertEquals(2, begun.get());
            } finally {
                stuck.countDown();
            }
            assertTrue(dispatcher.awaitIdle(TimeUnit.SECONDS.toNanos(60)));
            assertEquals(2 * NAMES, begun.get());
        }
    }

    private boolean read() {
        try {
            return opened().ports().runs().run(run.tenant(), run.run()).isPresent();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Holds a connection, and nothing that another one waits for. */
    private TaskOutcome hold() {
        begun.incrementAndGet();
        try {
            opened().ports().transactions().execute(request(1), new Transactions.Work() {
                @Override
                public void lock(SubjectTransaction transaction) throws Exception {
                    inside.countDown();
                    stuck.await();
                }

                @Override
                public TaskResult run(SubjectTransaction transaction) {
                    return TaskResult.permanent("ENOUGH", "nothing is to be done");
                }
            });
        } catch (Exception e) {
            // What becomes of it is none of this test's business.
            return TaskOutcome.of(new TaskAnswer.Returned());
        }
        return TaskOutcome.of(new TaskAnswer.Returned());
    }

    private TaskDispatcher dispatcher(ExecutorService threads) {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder();
        for (int i = 0; i < NAMES; i++) {
            handlers.transactional(
                    new ActionDescription(name(i), "For a test.", List.of()),
                    (call, transaction) -> TaskResult.ok(JsonNull.NULL));
        }
        return new TaskDispatcher(
                handlers.build(),
                new PayloadReader(journal()),
                opened().ports().transactions(),
                opened().ports().runs(),
                opened().ports().outbox()::knows,
                TaskConfig.DEFAULT,
                WorkClasses.NONE,
                opened().ports().clock(),
                Observer.NONE,
                Tracer.NONE,
                threads,
                () -> {});
    }

    private static HandlerName name(int number) {
        return new HandlerName("doc" + number);
    }
}
