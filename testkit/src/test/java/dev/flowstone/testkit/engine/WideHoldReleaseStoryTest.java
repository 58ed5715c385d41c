package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whole scopes are let go: every run goes on, and is later by exactly as much (R25). */
final class WideHoldReleaseStoryTest extends WideHoldStories {
    /** Runs that go on and on leave something to do in every round. */
    @Test
    void aReleasedRunIsWokenThoughAnotherOneKeepsTheShardBusy() {
        SteppedNode node = world.node(
                EngineConfig.of("one").withBounds(new Bounds(1, 1_000, 1 << 20, 32 << 10, 5_000_000)), handlers);
        change(node, suspend(TYPE));
        node.settle();
        RunId released = start(node, held);
        ProgramBuilder chain = ProgramBuilder.dag("long");
        for (int i = 0; i < 300; i++) {
            chain.assign("c" + i, Map.of()).edge(i == 0 ? "start" : "c" + (i - 1), "c" + i);
        }
        CompletableFuture<StartAnswer> busy =
                node.node().start(world.publish(chain.build()).start());
        node.stepLoops();
        change(node, resume(TYPE));
        for (int i = 0; i < 60; i++) {
            node.stepLoops();
        }

        assertEquals(1, node.waitingHandlers(), "the released run's task is handed out");
        assertEquals(RunStatus.RUNNING, status(World.started(busy)));
        assertEquals(RunStatus.RUNNING, status(released));
    }

    @Test
    void aReleaseWakesAllInPagesAndInOrder() {
        SteppedNode node = node("one");
        change(node, suspend(SYSTEM));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            runs.add(start(node, held));
        }
        node.settle();
        assertEquals(List.of(), called);

        change(node, resume(SYSTEM));
        node.settle();

        assertEquals(runs.stream().sorted(Comparator.naturalOrder()).toList(), called);
        runs.forEach(run -> assertEquals(RunStatus.SUCCEEDED, status(run)));
    }

    @Test
    void aReleaseThatWasInterruptedIsFinishedByTheNextOwner() {
        SteppedNode node = node("one");
        change(node, suspend(SYSTEM));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            runs.add(start(node, held));
        }
        change(node, resume(SYSTEM));
        ShardLoop loop = node.node().loops().iterator().next();
        loop.step();
        loop.step();

        SteppedNode next = node("one");
        next.advance(Duration.ofHours(1));

        runs.forEach(run -> assertEquals(RunStatus.SUCCEEDED, status(run)));
        assertEquals(MANY, called.size());
    }

    @Test
    void aRunThatSleptThroughAHoldFreezesItsTimerExactly() {
        SteppedNode node = node("one");
        Program waits = ProgramBuilder.dag("held")
                .timer("w", Duration.ofMinutes(60))
                .edge("start", "w")
                .build();
        RunId run = start(node, waits);
        node.advance(Duration.ofMinutes(10));
        change(node, suspend(TYPE));
        node.advance(Duration.ofMinutes(20));
        change(node, resume(TYPE));
        node.advance(Duration.ofMinutes(45));

        assertEquals(RunStatus.RUNNING, status(run), "75 of 60 minutes, of which 20 don't count");
        node.advance(Duration.ofMinutes(5));
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void aRunThatIsResumedItselfGoesOnUntilTheNextSetting() {
        SteppedNode node = node("one");
        change(node, suspend(TYPE));
        RunId run = start(node, held);
        node.settle();

        call(node, run, new ControlCommand.ResumeRun("just this one"));
        node.settle();

        assertEquals(List.of(run), called);
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void whatWasOverBeforeARunBeganIsNotRecorded() {
        SteppedNode node = node("one");
        change(node, suspend(SYSTEM));
        change(node, resume(SYSTEM));
        world.clock.advance(Duration.ofSeconds(1));
        RunId run = start(node, held);
        node.settle();

        assertEquals(0, world.history(run).count(ControlEvent.HoldImposed.class));
        assertEquals(0, world.history(run).count(ControlEvent.HoldLifted.class));
        assertEquals(List.of(run), called);
    }
}
