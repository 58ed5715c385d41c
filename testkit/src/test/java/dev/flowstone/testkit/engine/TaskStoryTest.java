package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static dev.flowstone.testkit.engine.SmallPrograms.one;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Handlers: their results, their failures, and the limits that they work under. */
final class TaskStoryTest {
    private final World world = new World();

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
    void anOutputBeyondTheLimitIsAPermanentFailure() {
        SteppedNode node = world.node(
                EngineConfig.of("one").withTask(new TaskConfig(10, List.of(), 100, 1_000, 5_000, 100)),
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
    void limitsHoldInAllAndByName() throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        HandlerRegistry handlers = World.handlers(HANDLER, call -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            LockSupport.parkNanos(call, 100_000);
            running.decrementAndGet();
            return TaskResult.ok(JsonNull.NULL);
        });
        TaskConfig limits = TaskConfig.DEFAULT.withConcurrency(10).withLimits(List.of(ActionLimit.atOnce(HANDLER, 3)));
        SteppedNode node = world.threadedNode(EngineConfig.of("one").withTask(limits), handlers);
        RunId run = start(node, world.publish(ProgramBuilder.fanOut("wide", 60, HANDLER)));
        World.until(node, () -> world.row(run).status().isFinal());

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertTrue(most.get() <= 3, () -> "most at once: " + most.get());
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
