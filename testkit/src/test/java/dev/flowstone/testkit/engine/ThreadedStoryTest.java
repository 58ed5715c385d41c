package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.memory.FaultyJournal;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine with its threads, in real time. */
@Timeout(60)
final class ThreadedStoryTest {
    private final InMemoryDatabase database = new InMemoryDatabase(Clock.SYSTEM, 4);

    private static FlowstoneEngine engine(Ports ports, String name, HandlerRegistry handlers) {
        EngineConfig config =
                EngineConfig.of(name).withLease(new LeaseConfig(Duration.ofMillis(1_500), Duration.ofMillis(200)));
        FlowstoneEngine engine =
                FlowstoneEngine.start(config, EngineParts.of(ports, new ScriptExpressions(), handlers));
        until(engine::ready);
        return engine;
    }

    private static void until(BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it never came true");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private Published publish(Ports ports, Program program) {
        return Published.in(ports.workflows(), World.TENANT, program, Clock.SYSTEM.now());
    }

    private boolean isFinal(RunId run) {
        try {
            return database.ports()
                    .runs()
                    .run(World.TENANT, run)
                    .orElseThrow()
                    .status()
                    .isFinal();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    private void assertSucceeded(RunId run, int tasks) throws JournalException {
        assertEquals(
                RunStatus.SUCCEEDED,
                database.ports().runs().run(World.TENANT, run).orElseThrow().status());
        History history = History.of(database.ports().runs(), World.TENANT, run);
        assertEquals(tasks, history.count(EventBody.TaskCompleted.class));
    }

    private static List<RunId> start(FlowstoneEngine engine, Published program, int runs) {
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            answers.add(engine.start(program.start()));
        }
        return answers.stream()
                .map(answer -> ((StartAnswer.Started) answer.join()).run())
                .toList();
    }

    /** An end comes while no rate is left, so that only time calls the next one; for who sleeps in a claim too. */
    @Test
    void aThreadLetsBeginWhatRatesHeldBack() throws Exception {
        HandlerName far = new HandlerName("test.far");
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .remote(new ActionDescription(far, "For a test.", List.of()))
                .build();
        List<ActionLimit> limits = List.of(new ActionLimit("core.echo", 1, 50), new ActionLimit(far.value(), 1, 50));
        EngineConfig config = EngineConfig.of("one").withTask(TaskConfig.DEFAULT.withLimits(limits));
        Ports ports = database.ports();
        Published near = publish(ports, ProgramBuilder.sequence("near", 5, "core.echo"));
        Published away = publish(ports, ProgramBuilder.sequence("away", 1, far.value()));
        try (FlowstoneEngine engine =
                FlowstoneEngine.start(config, EngineParts.of(ports, new ScriptExpressions(), handlers))) {
            until(engine::ready);
            start(engine, near, 4).forEach(run -> until(() -> isFinal(run)));
            start(engine, away, 5);
            RemoteClaim claim = new RemoteClaim(World.TENANT, "worker", List.of(far), 10, Duration.ofMinutes(1));
            for (int i = 0; i < 5; i++) {
                List<RemoteTask> claimed = engine.remoteTasks().claim(claim, Duration.ofSeconds(30));
                assertEquals(1, claimed.size());
                RemoteTask task = claimed.getFirst();
                RunKey run = new RunKey(World.TENANT, task.call().run());
                engine.remoteTasks().settled(run, task.call().activation());
            }
        }
    }

    /** So that one commit takes what a few callers do; and every shard has its share. */
    @Test
    void startsThatComeTogetherGoToOneShard() {
        Published one = publish(database.ports(), ProgramBuilder.sequence("one", 1, "core.echo"));
        try (FlowstoneEngine engine = engine(database.ports(), "one", BuiltInActions.registry())) {
            until(() -> engine.load().shards().size() == 4 && engine.ready());
            List<Integer> shards = start(engine, one, 128).stream()
                    .map(run -> run.slot().number() / (Slot.COUNT / 4))
                    .toList();
            for (int i = 0; i < 128; i++) {
                assertEquals((shards.getFirst() + i / 16) % 4, shards.get(i), "start " + i);
            }
        }
    }

    @Test
    void manyRunsOnFourShards() throws Exception {
        Ports ports = database.ports();
        Published five = publish(ports, ProgramBuilder.sequence("five", 5, "core.echo"));
        try (FlowstoneEngine engine = engine(ports, "one", BuiltInActions.registry())) {
            List<RunId> runs = start(engine, five, 1_000);
            until(() -> runs.stream().allMatch(this::isFinal));
            for (RunId run : runs) {
                assertSucceeded(run, 5);
            }
        }
    }

    @Test
    void aPoolOfOneConnectionIsEnough() throws Exception {
        Ports real = database.ports();
        Semaphore pool = new Semaphore(1);
        FaultyJournal journal = new FaultyJournal(real.journal());
        journal.on((commit, to) -> single(pool, commit, to));
        Ports ports = FaultyJournal.in(real, journal);
        Published five = publish(ports, ProgramBuilder.sequence("five", 5, "core.echo"));
        try (FlowstoneEngine engine = engine(ports, "one", BuiltInActions.registry())) {
            List<RunId> runs = start(engine, five, 200);
            until(() -> runs.stream().allMatch(this::isFinal));
            for (RunId run : runs) {
                assertSucceeded(run, 5);
            }
        }
    }

    private static Committed single(Semaphore pool, Commit commit, Journal to) throws JournalException {
        pool.acquireUninterruptibly();
        try {
            return to.commit(commit);
        } finally {
            pool.release();
        }
    }

    @Test
    void aCrashedNodesShardsGoToAnotherAndEveryAcknowledgedRunEndsOnce() throws Exception {
        Ports ports = database.ports();
        Program program = ProgramBuilder.dag("work")
                .retry(new Retry(5, Duration.ofMillis(10), 1, Duration.ofMillis(10), false))
                .task("a", "test.handler")
                .task("b", "test.handler")
                .task("c", "test.handler")
                .edge("start", "a")
                .edge("a", "b")
                .edge("b", "c")
                .build();
        Published work = publish(ports, program);
        HandlerRegistry handlers = World.handlers("test.handler", call -> {
            LockSupport.parkNanos(1_000_000);
            return TaskResult.ok(JsonNull.NULL);
        });
        FlowstoneEngine first = engine(ports, "one", handlers);
        List<RunId> runs = new ArrayList<>(start(first, work, 150));
        FlowstoneEngine second = FlowstoneEngine.start(
                EngineConfig.of("two").withLease(new LeaseConfig(Duration.ofMillis(1_500), Duration.ofMillis(200))),
                EngineParts.of(ports, new ScriptExpressions(), handlers));

        first.crash();

        until(second::ready);
        runs.addAll(start(second, work, 50));
        until(() -> runs.stream().allMatch(this::isFinal));
        for (RunId run : runs) {
            assertSucceeded(run, 3);
        }
        second.close();
    }

    @Test
    void aStopWaitsForHandlersAndGivesBackWhatDoesNotEnd() throws Exception {
        Ports ports = database.ports();
        CountDownLatch quickMayEnd = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(2);
        Map<String, Integer> ledger = new ConcurrentHashMap<>();
        HandlerRegistry handlers = World.handlers("test.handler", call -> {
            String node = call.activation().node().value();
            entered.countDown();
            if (ledger.merge(node, 1, Integer::sum) == 1) {
                if (node.equals("quick")) {
                    quickMayEnd.await();
                } else {
                    new CountDownLatch(1).await();
                }
            }
            return TaskResult.ok(JsonNull.NULL);
        });
        Published work = publish(
                ports,
                ProgramBuilder.dag("two")
                        .task("quick", "test.handler")
                        .task("stuck", "test.handler")
                        .edge("start", "quick")
                        .edge("start", "stuck")
                        .build());
        FlowstoneEngine first = engine(ports, "one", handlers);
        RunId run = start(first, work, 1).getFirst();
        entered.await();
        quickMayEnd.countDown();
        first.stop(Duration.ofMillis(300));

        History stopped = History.of(ports.runs(), World.TENANT, run);
        assertEquals(1, stopped.count(EventBody.TaskCompleted.class));
        assertEquals(1, stopped.count(EventBody.TaskReturned.class));
        try (FlowstoneEngine second = engine(ports, "two", handlers)) {
            until(() -> isFinal(run));
            assertTrue(second.ready());
            assertSucceeded(run, 2);
        }
        assertEquals(Map.of("quick", 1, "stuck", 2), ledger);
    }

    @Test
    void everyFaultAtOnceAndStillEachStepIsRecordedOnce() throws Exception {
        Ports real = database.ports();
        FaultyJournal journal = new FaultyJournal(real.journal());
        AtomicInteger n = new AtomicInteger();
        Ports ports = FaultyJournal.in(real, journal);
        Published five = publish(ports, ProgramBuilder.sequence("five", 5, "core.echo"));
        try (FlowstoneEngine engine = engine(ports, "one", BuiltInActions.registry())) {
            journal.on((commit, to) -> switch (n.getAndIncrement() % 5) {
                case 0 -> throw new JournalException.UnknownOutcome("before");
                case 1 -> {
                    to.commit(commit);
                    throw new JournalException.UnknownOutcome("after");
                }
                case 2 -> throw new JournalException.Unavailable("no");
                default -> to.commit(commit);
            });
            List<RunId> runs = start(engine, five, 40);
            until(() -> runs.stream().allMatch(this::isFinal));
            for (RunId run : runs) {
                assertSucceeded(run, 5);
            }
        }
    }
}
