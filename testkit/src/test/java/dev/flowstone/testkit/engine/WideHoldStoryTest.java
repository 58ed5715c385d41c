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

/** Whole scopes are held: nothing of their runs begins (R25). */
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

    /** In one turn its answer is decided, which schedules the next task, and then it is suspended. */
    @Test
    void whatWasScheduledInTheTurnOfASuspensionIsNotHandedOut() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        assertTrue(node.runHandler());
        call(node, run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
        node.settle();
        assertEquals(1, called.size());

        call(node, run, new ControlCommand.ResumeRun("done"));
        node.settle();
        assertEquals(2, called.size());
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class), "it used up no try");
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
}
