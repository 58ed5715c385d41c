package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.crash;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Attempts that were out when their node died are lost and count; those that had not gone out cost nothing. */
final class LostAttemptStoryTest {
    private final World world = new World();
    private final Published work = world.publish(SmallPrograms.work());

    @Test
    void anAttemptThatDiedWithItsNodeIsLostAndTheNextOneFollowsAtOnce() {
        SteppedNode before = world.node("one");
        RunId run = start(before, work);
        assertEquals(1, before.waitingHandlers());
        crash(before);

        SteppedNode after = world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        History history = world.history(run);
        assertEquals(
                List.of(1, 2, 1),
                history.all(EventBody.TaskScheduled.class).stream()
                        .map(EventBody.TaskScheduled::attempt)
                        .toList());
        assertEquals(2, history.count(EventBody.TaskCompleted.class));
        assertTrue(after.node().ready());
    }

    @Test
    void aHandlerThatKillsItsNodeUsesUpItsAttempts() {
        RunId run = start(world.node("one"), work);
        for (int i = 0; i < 2; i++) {
            SteppedNode node =
                    new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()));
            node.settleLoops();
            crash(node);
        }
        world.node("one");

        assertEquals(RunStatus.FAILED, world.row(run).status());
    }

    /** Between two attempts nothing is lost: the count, and the time of the next one, stand in the log. */
    @Test
    void aRetryThatWaitsWhenItsNodeDiesIsTheSecondAttemptUnderTheNextOne() {
        List<Integer> made = new ArrayList<>();
        HandlerRegistry handlers = World.handlers(SmallPrograms.HANDLER, call -> {
            made.add(call.attempt());
            return TaskResult.retryable("AGAIN", "not yet");
        });
        Published one = world.publish(SmallPrograms.one(SmallPrograms.attempts(3), Duration.ofMinutes(1)));
        SteppedNode before = world.node(EngineConfig.of("one"), handlers);
        RunId run = start(before, one);
        before.settle();
        assertEquals(List.of(1), made);
        crash(before);

        for (int attempt = 2; attempt <= 3; attempt++) {
            SteppedNode after = world.node(EngineConfig.of("one"), handlers);
            assertEquals(attempt - 1, made.size(), "its pause isn't over");
            world.clock.advance(Duration.ofSeconds(1));
            after.settle();
            assertEquals(attempt, made.size());
            crash(after);
        }

        assertEquals(List.of(1, 2, 3), made);
        assertEquals(
                List.of(1, 2, 3),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(EventBody.TaskScheduled::attempt)
                        .toList());
        assertEquals(RunStatus.FAILED, world.row(run).status());
    }

    /** What was given back once is no free ticket: out again, it is an attempt like any other. */
    @Test
    void anAttemptThatIsHandedOutAgainIsLostWithItsNode() {
        SteppedNode stopped = world.node("one");
        RunId run = start(stopped, work);
        stopped.node().beginStop();
        stopped.node().giveBack();
        stopped.settleLoops();
        stopped.node().release();
        assertEquals(1, world.history(run).count(EventBody.TaskReturned.class));

        SteppedNode crashed =
                new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()));
        while (crashed.waitingHandlers() == 0) {
            assertEquals(0, world.history(run).count(EventBody.TaskHandedOut.class), "recorded before it goes out");
            crashed.stepLoops();
        }
        assertEquals(1, world.history(run).count(EventBody.TaskHandedOut.class));
        crash(crashed);
        world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                List.of(1, 2, 1),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(EventBody.TaskScheduled::attempt)
                        .toList());
        assertEquals(
                List.of("ATTEMPT_LOST"),
                world.history(run).all(EventBody.TaskFailed.class).stream()
                        .map(failed -> failed.error().code())
                        .toList());
    }

    /** However often a node that is stopped before it got that far: nothing is used up. */
    @Test
    void aNodeThatStopsBeforeItHandsOutUsesUpNothing() {
        SteppedNode stopped = world.node("one");
        RunId run = start(stopped, work);
        for (int i = 0; i < 5; i++) {
            stopped.node().beginStop();
            stopped.node().giveBack();
            stopped.settleLoops();
            stopped.node().release();
            stopped = new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()));
            for (int step = 0; step < i; step++) {
                stopped.stepLoops();
            }
        }
        stopped.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
    }

    @Test
    void aPageThatIsReadTwiceLosesNoAttemptThatWasHandedOutMeanwhile() {
        Published other = world.publish(ProgramBuilder.sequence("other", 1, "core.echo"));
        SteppedNode before = world.node("one");
        RunId first = start(before, work);
        world.clock.advance(Duration.ofSeconds(1));
        start(before, other);
        crash(before);
        Ports ports = new Ports(
                world.ports.journal(),
                world.ports.leases(),
                world.ports.outbox(),
                world.ports.inbox(),
                world.ports.runs(),
                world.ports.humanTasks(),
                world.ports.feed(),
                new FaultyPrograms(world.ports.workflows(), other.hash()),
                world.clock);
        SteppedNode after = new SteppedNode(
                world.clock,
                EngineConfig.of("one"),
                EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()));

        for (int i = 0; i < 20; i++) {
            after.settleLoops();
            world.clock.advance(Duration.ofMillis(100));
        }

        assertTrue(after.node().ready());
        assertEquals(1, world.history(first).count(EventBody.TaskFailed.class));
        assertEquals(RunStatus.RUNNING, world.row(first).status());
        assertEquals(1, after.waitingHandlers());
    }
}
