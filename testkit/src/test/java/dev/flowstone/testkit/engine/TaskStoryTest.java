package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Handlers: their results, failures, timeouts, limits, and what a stop does with them. */
final class TaskStoryTest {
    private static final String HANDLER = "test.handler";

    private final World world = new World();

    private static Program one(Retry retry, Duration timeout) {
        return ProgramBuilder.dag("one")
                .retry(retry)
                .timeout(timeout)
                .task("t", HANDLER)
                .edge("start", "t")
                .build();
    }

    private static Retry attempts(int attempts) {
        return new Retry(attempts, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false);
    }

    private RunId start(SteppedNode node, Published program) {
        CompletableFuture<StartAnswer> answer = node.node().start(program.start());
        node.settleLoops();
        return World.started(answer);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            LockSupport.parkNanos(latch, 1_000_000);
            var _ = Thread.interrupted();
        }
    }

    @Test
    void aBatchOfOneStillTakesResults() {
        SteppedNode node = world.node(
                EngineConfig.of("a").withShard(ShardConfig.DEFAULT.withBatch(1)),
                World.handlers(HANDLER, call -> TaskResult.ok(JsonNull.NULL)));
        Published program = world.publish(one(Retry.NONE, Duration.ofSeconds(30)));

        RunId run = start(node, program);
        node.runHandler();
        for (int i = 0; i < 20; i++) {
            node.stepLoops();
        }

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void whateverAHandlerThrowsBecomesAFailureWithAShortMessage() {
        List<Throwable> thrown = List.of(
                new IllegalStateException("x".repeat(1_000_000)),
                new OutOfMemoryError("heap"),
                new StackOverflowError(),
                new AssertionError("lone surrogate \ud800"),
                new NoClassDefFoundError("gone"));
        AtomicInteger next = new AtomicInteger();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> {
            Throwable now = thrown.get(next.getAndIncrement());
            if (now instanceof Error error) {
                throw error;
            }
            throw (Exception) now;
        }));
        RunId run = start(node, world.publish(one(attempts(5), Duration.ofMinutes(1))));
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofMinutes(1));

        List<EventBody.TaskFailed> failures = world.history(run).all(EventBody.TaskFailed.class);
        assertEquals(5, failures.size());
        for (EventBody.TaskFailed failure : failures) {
            assertEquals("HANDLER_THREW", failure.error().code());
            assertTrue(failure.error().message().length() <= 2_001);
            assertFalse(failure.error().message().contains("\tat "), "no stack trace");
        }
        assertEquals(RunStatus.FAILED, world.row(run).status());
    }

    @Test
    void aLargeOutputIsSetAsideAndRead() {
        Published program = world.publish(ProgramBuilder.dag("large")
                .task("big", HANDLER)
                .task("reads", "core.echo", new JsonString("{{ context.data.big.tag }}"))
                .edge("start", "big")
                .when("big", "reads", "context.data.big.tag === 'here'")
                .build());
        JsonObject output = JsonObject.builder()
                .put("tag", "here")
                .put("ballast", "b".repeat(4 << 20))
                .build();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> TaskResult.ok(output)));
        RunId run = start(node, program);
        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        List<EventBody.TaskCompleted> done = world.history(run).all(EventBody.TaskCompleted.class);
        assertInstanceOf(Payload.Stored.class, done.getFirst().output());
        assertEquals(Payload.of(new JsonString("here")), done.getLast().output());
    }

    /** Two nodes that render alike store it once; a later attempt and another decision find it in the store. */
    @Test
    void aLargeRenderedInputIsSetAsideAndReachesItsHandlerWhole() {
        JsonObject trigger =
                JsonObject.builder().put("ballast", "b".repeat(2 << 20)).build();
        Published program = world.publish(ProgramBuilder.dag("large-input")
                .retry(attempts(2))
                .task("big", HANDLER, new JsonString("{{ trigger }}"))
                .task("twin", HANDLER, new JsonString("{{ trigger }}"))
                .edge("start", "big")
                .edge("start", "twin")
                .build());
        List<JsonValue> seen = new ArrayList<>();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> {
            seen.add(call.input());
            return call.attempt() == 1 ? TaskResult.retryable("AGAIN", "again") : TaskResult.ok(JsonNull.NULL);
        }));
        CompletableFuture<StartAnswer> answer =
                node.node().start(program.start(Optional.empty(), Map.of("trigger", trigger)));
        node.settleLoops();
        RunId run = World.started(answer);
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofMinutes(1));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        assertEquals(List.of(trigger, trigger, trigger, trigger), seen);
        EventBody.RunStarted started =
                world.history(run).all(EventBody.RunStarted.class).getFirst();
        EventBody.TaskScheduled scheduled =
                world.history(run).all(EventBody.TaskScheduled.class).getFirst();
        assertEquals(started.input().get("trigger"), scheduled.input().orElseThrow());
        assertInstanceOf(Payload.Stored.class, scheduled.input().orElseThrow());
    }

    /** However many runs of a batch render large inputs: one commit carries about so many bytes of them. */
    @Test
    void whatDecisionsSetAsideIsBoundedInACommit() {
        Published program = world.publish(ProgramBuilder.dag("wordy")
                .task("t", HANDLER, new JsonString("b".repeat(2 << 20)))
                .edge("start", "t")
                .build());
        SteppedNode node = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatchBytes(3 << 20)),
                World.handlers(HANDLER, call -> TaskResult.ok(JsonNull.NULL)));
        List<Integer> large = new ArrayList<>();
        world.journal.on((commit, to) -> {
            int payloads = commit.moves().stream()
                    .mapToInt(move -> move.payloads().size())
                    .sum();
            if (payloads > 0) {
                large.add(payloads);
            }
            return to.commit(commit);
        });
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(node.node().start(program.start()));
        }
        node.settle();

        assertEquals(List.of(2, 2, 1), large);
        answers.forEach(answer -> assertEquals(
                RunStatus.SUCCEEDED, world.row(World.started(answer)).status()));
    }

    /** What several ends give together is set aside as well, made of results that stand aside themselves. */
    @Test
    void aLargeOutputOfSeveralEndsIsSetAside() throws JournalException {
        Published program = world.publish(ProgramBuilder.dag("ends")
                .task("left", HANDLER)
                .task("right", HANDLER)
                .edge("start", "left")
                .edge("start", "right")
                .build());
        JsonObject output =
                JsonObject.builder().put("ballast", "b".repeat(2 << 20)).build();
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> TaskResult.ok(output)));
        RunId run = start(node, program);
        node.settle();

        Payload stored =
                world.history(run).all(EventBody.RunCompleted.class).getFirst().output();
        assertInstanceOf(Payload.Stored.class, stored);
        assertEquals(
                JsonObject.builder().put("left", output).put("right", output).build(),
                new PayloadReader(world.ports.journal()).resolve(World.TENANT, stored));
    }

    @Test
    void anOutputBeyondTheLimitIsAPermanentFailure() {
        SteppedNode node = world.node(
                EngineConfig.of("one").withTask(new TaskConfig(10, Map.of(), 100, 1_000, 5_000, 100)),
                World.handlers(HANDLER, call -> TaskResult.ok(new JsonString("y".repeat(10_000)))));
        RunId run = start(node, world.publish(one(attempts(3), Duration.ofMinutes(1))));
        node.settle();

        assertEquals(
                "OUTPUT_TOO_LARGE",
                world.history(run)
                        .all(EventBody.RunFailed.class)
                        .getFirst()
                        .error()
                        .code());
    }

    @Test
    void aTimeoutIsAnsweredEvenIfTheHandlerIgnoresTheInterrupt() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        HandlerRegistry handlers = World.handlers(HANDLER, call -> {
            entered.countDown();
            awaitUninterruptibly(release);
            return TaskResult.ok(new JsonString("late"));
        });
        SteppedNode node = world.threadedNode(EngineConfig.of("one"), handlers);
        RunId run = start(node, world.publish(one(attempts(1), Duration.ofSeconds(5))));
        awaitUninterruptibly(entered);

        world.clock.advance(Duration.ofSeconds(4));
        node.settleLoops();
        assertEquals(0, world.history(run).count(EventBody.TaskTimedOut.class));
        world.clock.advance(Duration.ofSeconds(1));
        node.settleLoops();

        assertEquals(1, world.history(run).count(EventBody.TaskTimedOut.class));
        assertEquals(RunStatus.FAILED, world.row(run).status());
        release.countDown();
    }

    @Test
    void aLateSuccessOfALiveActivationStillCounts() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        HandlerRegistry handlers = World.handlers(HANDLER, call -> {
            if (call.attempt() > 1) {
                return TaskResult.retryable("AGAIN", "never");
            }
            entered.countDown();
            awaitUninterruptibly(release);
            return TaskResult.ok(new JsonString("late"));
        });
        SteppedNode node = world.threadedNode(EngineConfig.of("one"), handlers);
        RunId run = start(node, world.publish(one(attempts(2), Duration.ofSeconds(5))));
        awaitUninterruptibly(entered);
        world.clock.advance(Duration.ofSeconds(5));
        node.settleLoops();
        assertEquals(1, world.history(run).count(EventBody.TaskTimedOut.class), "a second attempt waits for its pause");

        release.countDown();
        World.until(node, () -> world.row(run).status().isFinal());

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                1,
                world.history(run).all(EventBody.TaskCompleted.class).getFirst().attempt());
    }

    @Test
    void anInterruptedHandlersFailureIsNotCountedTwice() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        HandlerRegistry handlers = World.handlers(HANDLER, call -> {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return TaskResult.ok(JsonNull.NULL);
        });
        SteppedNode node = world.threadedNode(EngineConfig.of("one"), handlers);
        RunId run = start(node, world.publish(one(attempts(1), Duration.ofSeconds(5))));
        awaitUninterruptibly(entered);
        world.clock.advance(Duration.ofSeconds(5));
        World.until(node, () -> world.row(run).status().isFinal());

        World.until(node, () -> interrupted.getCount() == 0);
        assertEquals(0, world.history(run).count(EventBody.TaskFailed.class));
        assertEquals(1, world.history(run).count(EventBody.TaskTimedOut.class));
    }

    @Test
    void limitsHoldInAllAndByName() throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        HandlerRegistry handlers = World.handlers(HANDLER, call -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            LockSupport.parkNanos(call, 100_000);
            running.decrementAndGet();
            return TaskResult.ok(JsonNull.NULL);
        });
        TaskConfig limits = TaskConfig.DEFAULT.withConcurrency(10).withPerHandler(Map.of(new HandlerName(HANDLER), 3));
        SteppedNode node = world.threadedNode(EngineConfig.of("one").withTask(limits), handlers);
        RunId run = start(node, world.publish(ProgramBuilder.fanOut("wide", 60, HANDLER)));
        World.until(node, () -> world.row(run).status().isFinal());

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertTrue(most.get() <= 3, () -> "most at once: " + most.get());
    }

    @Test
    void aStopGivesUnfinishedAttemptsBackUnused() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Published program = world.publish(one(attempts(1), Duration.ofMinutes(5)));
        SteppedNode before = world.threadedNode(EngineConfig.of("one"), World.handlers(HANDLER, call -> {
            entered.countDown();
            awaitUninterruptibly(release);
            throw new IllegalStateException("it was interrupted");
        }));
        RunId run = start(before, program);
        awaitUninterruptibly(entered);

        before.node().beginStop();
        assertInstanceOf(
                StartAnswer.Busy.class, before.node().start(program.start()).getNow(null));
        before.settleLoops();
        before.node().giveBack();
        before.settleLoops();
        assertEquals(1, world.history(run).count(EventBody.TaskReturned.class));
        before.node().release();
        release.countDown();

        SteppedNode after = world.node(EngineConfig.of("two"), World.handlers(HANDLER, call -> {
            assertEquals(1, call.attempt(), "the same attempt");
            return TaskResult.ok(new JsonString("done"));
        }));

        assertTrue(after.node().ready(), "the lease was free at once");
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class));
    }

    @Test
    void aStopLetsHandlersFinishAndHandsOutNothingNew() {
        Published program = world.publish(ProgramBuilder.sequence("three", 3, "core.echo"));
        SteppedNode before = world.node("one");
        RunId run = start(before, program);
        before.node().beginStop();
        while (before.runHandler()) {
            before.settleLoops();
        }
        before.settleLoops();
        before.node().giveBack();
        before.settleLoops();
        before.node().release();

        assertEquals(1, world.history(run).count(EventBody.TaskCompleted.class));
        assertEquals(1, world.history(run).count(EventBody.TaskReturned.class));
        world.node("two");
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(3, world.history(run).count(EventBody.TaskScheduled.class), "a return uses up nothing");
    }

    @Test
    void aResultMayComeThroughTheInboxOnce() throws JournalException {
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> {
            throw new IllegalStateException("this node does not do the work");
        }));
        RunId run = start(node, world.publish(one(attempts(1), Duration.ofMinutes(1))));
        TaskAnswerMessage answer = new TaskAnswerMessage(
                new ActivationId(new NodeId("t"), 1), 1, TaskResult.ok(new JsonString("from elsewhere")));
        RunKey key = new RunKey(World.TENANT, run);
        assertTrue(world.ports.inbox().accept(answer.to(key, "worker", world.clock.now())));
        assertFalse(world.ports.inbox().accept(answer.to(key, "worker", world.clock.now())));
        world.clock.advance(Duration.ofSeconds(2));
        node.settleLoops();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                List.of(),
                world.ports
                        .journal()
                        .inbox(node.node().loops().iterator().next().lease(), 10));
        assertTrue(node.runHandler(), "and what comes late changes nothing");
        node.settle();
        assertEquals(1, world.history(run).count(EventBody.TaskCompleted.class));
    }

    @Test
    void anInputThatCannotBeReadNowUsesUpNoAttempt() {
        Published program = world.publish(ProgramBuilder.dag("in")
                .task("big", HANDLER)
                .task("eats", HANDLER, new JsonString("{{ context.data.big }}"))
                .edge("start", "big")
                .edge("big", "eats")
                .build());
        SteppedNode node = world.node(
                EngineConfig.of("one"),
                World.handlers(HANDLER, call -> TaskResult.ok(new JsonString("z".repeat(100_000)))));
        RunId run = start(node, program);
        assertTrue(node.runHandler());
        node.settleLoops();
        world.journal.cut();
        assertTrue(node.runHandler());
        node.settleLoops();
        world.journal.heal();
        node.advance(Duration.ofSeconds(10));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
    }

    /** A large value is read once and then known, as long as there is room for it. */
    @Test
    void conditionsReadALargeValueOnce() {
        Published program = world.publish(ProgramBuilder.dag("reads")
                .retry(attempts(2))
                .task("big", HANDLER)
                .task("a", "core.echo")
                .task("b", "core.echo")
                .task("c", "core.echo")
                .edge("start", "big")
                .when("big", "a", "context.data.big.length > 5")
                .when("a", "b", "context.data.big.length > 6")
                .when("b", "c", "context.data.big.length > 7")
                .build());
        HandlerRegistry big = World.handlers(HANDLER, call -> TaskResult.ok(new JsonString("z".repeat(100_000))));

        assertEquals(0, readsOf(program, EngineConfig.of("one"), big), "it came with its result");
        EngineConfig tiny = EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withPayloads(1_000));
        assertEquals(2, readsOf(program, tiny, big), "at each later decision");
        EngineConfig cold = EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withPayloads(1 << 20));
        SteppedNode before = world.node(cold, big);
        RunId run = start(before, program);
        assertTrue(before.runHandler());
        before.settleLoops();
        before.node().loops().forEach(loop -> loop.end("crashed"));
        int reads = world.journal.payloadReads();
        world.node(cold, big);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.journal.payloadReads() - reads, "once after a restart");
    }

    private int readsOf(Published program, EngineConfig config, HandlerRegistry handlers) {
        SteppedNode node = world.node(config, handlers);
        int before = world.journal.payloadReads();
        RunId run = start(node, program);
        node.settle();
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), world.history(run)::toString);
        assertEquals(4, world.history(run).count(EventBody.TaskCompleted.class));
        return world.journal.payloadReads() - before;
    }

    /** cases.md 7: all at once, and each with facts of its own to ask for; none is lost or broken off. */
    @Test
    void manyCompletionsOfOneRunInOneBatchMayEachReadALargeValue() {
        ProgramBuilder wide = ProgramBuilder.dag("wide").task("join", "core.echo");
        for (int i = 0; i < 300; i++) {
            wide.task("t" + i, HANDLER)
                    .edge("start", "t" + i)
                    .when("t" + i, "join", "context.data.t" + i + ".length > 5");
        }
        SteppedNode node = world.node(
                EngineConfig.of("one").withBounds(Bounds.DEFAULT.withContextBytes(64 << 20)),
                World.handlers(
                        HANDLER,
                        call -> TaskResult.ok(
                                new JsonString(call.activation().toString().repeat(10_000)))));
        RunId run = start(node, world.publish(wide.build()));
        for (int i = 0; i < 300; i++) {
            assertTrue(node.runHandler());
        }
        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(301, world.history(run).count(EventBody.TaskCompleted.class));
    }

    /** A sibling fails while it opens: what was scheduled beside it in that very commit has not begun, and never does. */
    @Test
    void anAttemptThatIsCanceledInTheCommitThatScheduledItIsNotHandedOut() {
        Published program = world.publish(ProgramBuilder.dag("doomed")
                .task("a", HANDLER)
                .task("b", HANDLER, new JsonString("{{ nowhere.to.be.found }}"))
                .edge("start", "a")
                .edge("start", "b")
                .build());
        SteppedNode node = world.node(EngineConfig.of("one"), World.handlers(HANDLER, call -> {
            throw new AssertionError("nobody wants this effect any more");
        }));
        RunId run = start(node, program);

        assertEquals(0, node.waitingHandlers());
        assertEquals(RunStatus.FAILED, world.row(run).status(), world.history(run)::toString);
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class));
    }
}
