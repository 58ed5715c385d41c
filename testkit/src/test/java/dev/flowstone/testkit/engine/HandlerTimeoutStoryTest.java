package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static dev.flowstone.testkit.engine.SmallPrograms.one;
import static dev.flowstone.testkit.engine.World.awaitUninterruptibly;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An attempt's time is over whatever its handler does, and what it says late still counts where it may. */
final class HandlerTimeoutStoryTest {
    private final World world = new World();

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

    /** dataflow.md §9.3: its time begins with it, whatever the one before has used up. */
    @Test
    void eachAttemptHasATimeOfItsOwn() {
        eachAttemptHasATime(one(attempts(2), Duration.ofSeconds(5)));
    }

    /** Nor does it wait for it, though its run may have one at a time. */
    @Test
    void eachAttemptHasThePlaceOfTheOneBefore() {
        eachAttemptHasATime(RunBoundStoryTest.bounded(one(attempts(2), Duration.ofSeconds(5)), 1));
    }

    private void eachAttemptHasATime(Program program) {
        List<CountDownLatch> entered = List.of(new CountDownLatch(1), new CountDownLatch(1));
        CountDownLatch release = new CountDownLatch(1);
        HandlerRegistry handlers = World.handlers(HANDLER, call -> {
            entered.get(call.attempt() - 1).countDown();
            awaitUninterruptibly(release);
            return TaskResult.ok(JsonNull.NULL);
        });
        SteppedNode node = world.threadedNode(EngineConfig.of("one"), handlers);
        RunId run = start(node, world.publish(program));
        awaitUninterruptibly(entered.getFirst());
        world.clock.advance(Duration.ofSeconds(5));
        node.settleLoops();
        world.clock.advance(Duration.ofSeconds(1));
        node.settleLoops();
        assertEquals(Map.of(), node.node().load().tasks().waiting());
        awaitUninterruptibly(entered.getLast());

        world.clock.advance(Duration.ofSeconds(4));
        node.settleLoops();
        assertEquals(1, world.history(run).count(EventBody.TaskTimedOut.class));
        world.clock.advance(Duration.ofSeconds(1));
        node.settleLoops();

        assertEquals(2, world.history(run).count(EventBody.TaskTimedOut.class));
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
}
