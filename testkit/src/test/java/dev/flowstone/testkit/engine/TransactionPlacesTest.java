package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.task.VirtualThreads;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Transactions hold connections that people's requests need too: how many are under way doesn't depend on their names. */
final class TransactionPlacesTest {
    private static final int PLACES = 4;
    private static final int NAMES = 10;

    private final World world = new World();
    private final ArrayDeque<Runnable> executor = new ArrayDeque<>();
    private final List<String> called = new ArrayList<>();

    private TaskDispatcher dispatcher(TaskConfig config) {
        return dispatcher(config, executor::add);
    }

    private TaskDispatcher dispatcher(TaskConfig config, Executor threads) {
        HandlerRegistry.Builder handlers =
                HandlerRegistry.builder().action(describe("mail"), call -> TaskResult.ok(JsonNull.NULL));
        for (int i = 0; i < NAMES; i++) {
            handlers.transactional(describe("doc" + i), (call, transaction) -> TaskResult.ok(JsonNull.NULL));
        }
        Transactions transactions = world.ports.transactions();
        assertEquals(PLACES, transactions.atOnce());
        return new TaskDispatcher(
                handlers.build(),
                new PayloadReader(world.ports.journal()),
                transactions,
                world.ports.runs(),
                world.ports.outbox()::knows,
                config,
                WorkClasses.NONE,
                world.clock,
                Observer.NONE,
                Tracer.NONE,
                threads,
                () -> {});
    }

    private static ActionDescription describe(String name) {
        return new ActionDescription(new HandlerName(name), "For a test.", List.of());
    }

    private TaskRun run(String handler) {
        return new TaskRun(
                World.TENANT,
                new WorkflowId("w"),
                new HandlerName(handler),
                () -> {
                    called.add(handler);
                    return TaskOutcome.of(new TaskAnswer.Returned());
                },
                _ -> {});
    }

    private void submit(TaskDispatcher dispatcher, String handler, int times) {
        for (int i = 0; i < times; i++) {
            dispatcher.submit(run(handler));
        }
    }

    private void finish() {
        while (!executor.isEmpty()) {
            executor.remove().run();
        }
    }

    @Test
    void manyNamesTakeNoMorePlacesThanOne() {
        TaskDispatcher dispatcher = dispatcher(TaskConfig.DEFAULT);
        for (int i = 0; i < NAMES; i++) {
            submit(dispatcher, "doc" + i, 3);
        }

        assertEquals(PLACES, executor.size());
        submit(dispatcher, "mail", 20);
        assertEquals(PLACES + 20, executor.size(), "what holds no connection doesn't wait for one");
        while (!executor.isEmpty()) {
            assertTrue(transacting() <= PLACES);
            executor.removeLast().run();
        }
        assertEquals(
                NAMES * 3L,
                called.stream().filter(name -> name.startsWith("doc")).count());
        assertEquals(0, dispatcher.waiting());
        assertEquals(0, dispatcher.running());
    }

    /** All that began and hasn't ended, less the mails. */
    private long transacting() {
        long mails = 20 - called.stream().filter("mail"::equals).count();
        return executor.size() - mails;
    }

    @Test
    void handlersTakeTurnsHoweverMuchOneOfThemHasToDo() {
        TaskDispatcher dispatcher = dispatcher(TaskConfig.DEFAULT);
        submit(dispatcher, "doc0", 50);
        submit(dispatcher, "doc1", 2);
        submit(dispatcher, "doc2", 2);

        finish();

        assertEquals(54, called.size());
        assertTrue(called.lastIndexOf("doc1") < 12, called::toString);
        assertTrue(called.lastIndexOf("doc2") < 12, called::toString);
    }

    @Test
    void aLimitOfAHandlersOwnHoldsWithinThePlacesOfAll() {
        TaskDispatcher dispatcher = dispatcher(
                TaskConfig.DEFAULT.withLimits(List.of(ActionLimit.atOnce("doc0", 1), ActionLimit.atOnce("doc1", 100))));
        submit(dispatcher, "doc0", 10);
        assertEquals(1, executor.size());
        submit(dispatcher, "doc1", 10);

        assertEquals(PLACES, executor.size());
        finish();
        assertEquals(20, called.size());
    }

    /** One whose turn had come is taken back: its place goes to the next one, not to nobody. */
    @Test
    void aPlaceIsNotLostWithAnAttemptThatIsTakenBack() {
        TaskDispatcher dispatcher = dispatcher(TaskConfig.DEFAULT);
        submit(dispatcher, "doc0", PLACES);
        TaskRun first = run("doc1");
        dispatcher.submit(first);
        submit(dispatcher, "doc2", 1);

        assertTrue(dispatcher.withdraw(first));
        executor.remove().run();

        assertEquals(PLACES, executor.size());
        finish();
        assertEquals(List.of("doc0", "doc0", "doc0", "doc0", "doc2"), called);
    }

    /** Whose start is put off holds its place meanwhile, and gives it back even if it is taken back before. */
    @Test
    void startsThatArePutOffHoldTheirPlaces() {
        TaskDispatcher dispatcher = dispatcher(TaskConfig.DEFAULT);
        List<Runnable> starts = new ArrayList<>();
        TaskRun first = run("doc0");
        dispatcher.submit(first, starts::add);
        for (int i = 1; i < PLACES; i++) {
            dispatcher.submit(run("doc1"), starts::add);
        }
        submit(dispatcher, "doc2", 1);

        assertEquals(PLACES, starts.size());
        assertEquals(PLACES, dispatcher.running());
        assertEquals(0, executor.size(), "neither those put off nor the one behind them");
        assertTrue(dispatcher.withdraw(first));
        starts.forEach(Runnable::run);
        finish();

        assertEquals(List.of("doc1", "doc1", "doc1", "doc2"), called);
        assertEquals(0, dispatcher.running());
    }

    @Test
    void aStopGivesBackWhatWaitsForAPlace() {
        TaskDispatcher dispatcher = dispatcher(TaskConfig.DEFAULT);
        for (int i = 0; i < NAMES; i++) {
            submit(dispatcher, "doc" + i, 1);
        }

        dispatcher.stop();

        assertEquals(0, dispatcher.waiting());
        finish();
        assertEquals(PLACES, called.size());
        assertEquals(0, dispatcher.running());
    }

    @Test
    void aStartThatFailsHoldsUpNoOther() {
        TaskDispatcher dispatcher = dispatcher(TaskConfig.DEFAULT, new VirtualThreads());
        CountDownLatch others = new CountDownLatch(19);
        List<Runnable> starts = new ArrayList<>(Collections.nCopies(19, others::countDown));
        starts.add(3, () -> {
            throw new StackOverflowError("a test's");
        });

        dispatcher.start(starts);

        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> others.await());
    }

    /** Each leaves its place to the next, which has no thread either. */
    @Test
    void howeverManyFindNoThreadEachIsAnsweredFor() {
        AtomicBoolean full = new AtomicBoolean();
        List<TaskOutcome> told = new ArrayList<>();
        TaskDispatcher dispatcher =
                dispatcher(TaskConfig.DEFAULT.withLimits(List.of(ActionLimit.atOnce("mail", 1))), task -> {
                    if (full.get()) {
                        throw new OutOfMemoryError("a test's");
                    }
                    executor.add(task);
                });
        for (int i = 0; i < 100_000; i++) {
            dispatcher.submit(new TaskRun(
                    World.TENANT,
                    new WorkflowId("w"),
                    new HandlerName("mail"),
                    () -> TaskOutcome.of(new TaskAnswer.Returned()),
                    told::add));
        }
        full.set(true);

        finish();

        assertEquals(100_000, told.size());
        assertEquals(0, dispatcher.waiting());
        assertEquals(0, dispatcher.running());
    }
}
