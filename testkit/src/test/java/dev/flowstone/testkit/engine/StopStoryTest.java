package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static dev.flowstone.testkit.engine.SmallPrograms.one;
import static dev.flowstone.testkit.engine.World.awaitUninterruptibly;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A stop lets handlers finish, and gives back unused what they don't finish. */
final class StopStoryTest {
    private final World world = new World();

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
}
