package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a hold of a scope does to its runs (R25). */
final class WideHoldStoryTest extends WideHoldStories {
    @Test
    void nothingIsCalledForAHeldTypeWhileOthersGoOn() {
        SteppedNode node = node("one");
        long number = change(node, suspend(TYPE));
        node.settle();
        assertEquals(List.of(number), acknowledged());

        RunId stuck = start(node, held);
        RunId other = start(node, free);
        node.advance(Duration.ofHours(1));

        assertEquals(List.of(other), called);
        assertEquals(RunStatus.SUCCEEDED, status(other));
        assertEquals(RunStatus.RUNNING, status(stuck));

        change(node, resume(TYPE));
        node.settle();

        assertEquals(List.of(other, stuck), called);
        assertEquals(RunStatus.SUCCEEDED, status(stuck));
        assertEquals(0, world.history(other).count(ControlEvent.HoldImposed.class));
    }

    @Test
    void aHandlerThatHasBegunEndsAndItsAnswerWaits() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        assertTrue(node.runHandler());
        change(node, suspend(TYPE));
        node.settle();

        assertEquals(1, called.size());
        assertEquals(1, world.history(run).count(ControlEvent.InputBuffered.class));

        change(node, resume(TYPE));
        node.settle();
        assertEquals(2, called.size());
        assertEquals(RunStatus.SUCCEEDED, status(run));
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
    void aStartIsRefusedWhereCallersAre() {
        SteppedNode node = node("one");
        change(node, SettingRequest.suspend(TYPE, REJECT, "audit", ANN));
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(held).start());
        node.settle();

        assertEquals(
                "SUSPENDED",
                assertInstanceOf(StartAnswer.Refused.class, answer.getNow(null)).code());
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
    void aDrainLetsWhatWasCalledAnswerAndCallsNothingNew() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        change(node, SettingRequest.drain(TYPE, HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", ANN));
        node.settle();

        assertEquals(1, called.size());
        assertEquals(RunStatus.RUNNING, status(run));
        node.advance(Duration.ofHours(2));
        assertEquals(1, called.size());

        change(node, resume(TYPE));
        node.settle();
        assertEquals(2, called.size());
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

    /** The narrowest setting counts: what it was doing it finishes, and then it stands still for itself. */
    @Test
    void aRunOfItsOwnDrainDrainsOnInASuspendedScope() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        call(node, run, new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", "run"));
        change(node, suspend(TYPE));
        node.settle();

        assertEquals(List.of(run), called, "taken back as if it were held, and handed out again");
        assertEquals(1, world.history(run).count(EventBody.TaskCompleted.class));
        assertEquals(1, world.history(run).count(ControlEvent.RunSuspended.class), "it has come to rest");
        change(node, resume(TYPE));
        node.settle();
        assertEquals(1, called.size());

        call(node, run, new ControlCommand.ResumeRun("done"));
        node.settle();
        assertEquals(2, called.size());
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }
}
