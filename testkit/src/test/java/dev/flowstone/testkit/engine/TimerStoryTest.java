package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Durable waits. */
final class TimerStoryTest {
    private final World world = new World();

    private static Program waiting(String name, Duration wait) {
        return ProgramBuilder.dag(name)
                .timer("wait", wait)
                .task("after", "core.echo")
                .edge("start", "wait")
                .edge("wait", "after")
                .build();
    }

    private RunId start(SteppedNode node, Published program) {
        CompletableFuture<StartAnswer> answer = node.node().start(program.start());
        node.settle();
        return World.started(answer);
    }

    @Test
    void firesWhenItIsDueAndNotBefore() {
        SteppedNode node = world.node("one");
        RunId run = start(node, world.publish(waiting("w", Duration.ofSeconds(10))));

        node.advance(Duration.ofMillis(9_999));
        assertEquals(RunStatus.RUNNING, world.row(run).status());
        node.advance(Duration.ofMillis(1));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void aCanceledTimerIsForgottenAtOnce() {
        SteppedNode node = world.node("one");
        Program program = ProgramBuilder.dag("canceled")
                .timer("wait", Duration.ofSeconds(30))
                .task("fails", "core.fail")
                .edge("start", "wait")
                .edge("start", "fails")
                .build();
        RunId run = start(node, world.publish(program));
        assertEquals(RunStatus.FAILED, world.row(run).status());
        int commits = world.journal.commits();

        node.advance(Duration.ofSeconds(31));

        assertEquals(commits, world.journal.commits(), "nothing is decided any more");
    }

    @Test
    void aTimerSurvivesARestartAndFiresLateRatherThanNever() {
        SteppedNode before = world.node("one");
        RunId run = start(before, world.publish(waiting("w", Duration.ofHours(5))));
        before.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofDays(2));

        world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.history(run).count(EventBody.TimerFired.class));
    }

    @Test
    void aFarTimerStaysInTheDatabaseUntilItComesNear() {
        SteppedNode node = world.node("one");
        RunId run = start(node, world.publish(waiting("w", Duration.ofHours(3))));
        Instant due =
                world.history(run).all(EventBody.TimerSet.class).getFirst().dueAt();

        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(4));

        assertEquals(due, world.clock.now(), "to the instant");
    }

    @Test
    void aStormIsReadInPagesAndFiresInBoundedBatches() {
        EngineConfig config = EngineConfig.of("one")
                .withShard(ShardConfig.DEFAULT.withBatch(40).withTimers(Duration.ofMinutes(1), 16, 32));
        Published program = world.publish(waiting("w", Duration.ofMinutes(30)));
        SteppedNode node = world.node(config, BuiltInActions.registry());
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            runs.add(start(node, program));
        }
        world.journal.on((commit, to) -> {
            assertTrue(commit.moves().size() <= 40);
            return to.commit(commit);
        });

        node.runUntil(() -> world.row(runs.getLast()).status().isFinal(), Duration.ofHours(1));
        node.advance(Duration.ofSeconds(1));

        for (RunId run : runs) {
            assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
            assertEquals(1, world.history(run).count(EventBody.TimerFired.class));
        }
    }

    @Test
    void aTimerOfTheYear9999HarmsNobody() {
        SteppedNode node = world.node("one");
        Duration far = Duration.between(world.clock.now(), Instant.parse("9999-12-31T00:00:00Z"));
        RunId patient = start(node, world.publish(waiting("far", far)));
        RunId past = start(node, world.publish(waiting("now", Duration.ZERO)));

        node.advance(Duration.ofDays(400));
        node.advance(Duration.ofSeconds(10));

        assertEquals(RunStatus.SUCCEEDED, world.row(past).status());
        assertEquals(RunStatus.RUNNING, world.row(patient).status());
    }

    @Test
    void dueTimersAreNotLostWhenTheirCommitFails() {
        SteppedNode node = world.node("one");
        RunId run = start(node, world.publish(waiting("w", Duration.ofSeconds(10))));
        world.journal.cut();
        node.advance(Duration.ofSeconds(11));
        node.advance(Duration.ofSeconds(3));
        world.journal.heal();

        node.advance(Duration.ofSeconds(5));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.history(run).count(EventBody.TimerFired.class));
    }

    @Test
    void theDatabasesClockCounts() {
        SteppedNode node = world.node("one");
        RunId run = start(node, world.publish(waiting("w", Duration.ofSeconds(10))));
        // A clock that jumps back fires nothing twice and nothing early; event times never go back.
        world.clock.set(world.clock.now().minusSeconds(5));
        node.settle();
        node.advance(Duration.ofSeconds(14));
        assertEquals(RunStatus.RUNNING, world.row(run).status());
        node.advance(Duration.ofSeconds(2));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }
}
