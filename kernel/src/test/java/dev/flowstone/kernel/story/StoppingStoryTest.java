package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R24 and R25: ways to end a run from outside, or to take it back. */
final class StoppingStoryTest {
    @Test
    void cancelingWithoutUndoingEndsAtOnce() {
        Story story = CompensationStoryTest.atD()
                .accepted(new ControlCommand.CancelRun("superseded", ControlCommand.Undo.SKIP, Optional.empty()));
        story.ok("d");
        assertEquals(RunStatus.CANCELED, story.status());
        assertEquals(List.of(), story.all(CompensationEvent.CompensationBegan.class));
    }

    @Test
    void rollsBackToAMarkAndGoesOnFromIt() {
        Story story = CompensationStoryTest.atD().accepted(new ControlCommand.RollBack(new NodeId("b"), "again"));
        story.rejected(RejectionCode.INVALID_STATE, new ControlCommand.RollBack(new NodeId("a"), "again"));
        story.answer("d", new TaskAnswer.TimedOut()).ok("c#-1").ok("b#-1");
        assertTrue(story.lastKinds().contains("RolledBack"), story.tale());
        assertEquals(RunStatus.RUNNING, story.status());
        assertEquals("b#2", story.state().openAttempts().getFirst().activation().toString());
        story.rejected(RejectionCode.INVALID_STATE, new ControlCommand.RollBack(new NodeId("c"), "forwards"));
        story.rejected(RejectionCode.INVALID_STATE, new ControlCommand.RollBack(new NodeId("plain"), "forwards"));
        story.ok("b").ok("plain").ok("c").ok("d");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void thereIsNoWayBackInASettlingScope() {
        Story story = Story.of(Programs.dag().undoable("a").task("b").chain("start", "a", "b"))
                .start()
                .ok("a");
        story.rejected(RejectionCode.INVALID_STATE, new ControlCommand.RollBack(new NodeId("a"), "again"));
    }

    /** Case 14, as far as one run goes: at once, whatever lives, and nothing is undone. */
    @Test
    void terminatesAtOnce() {
        Story story = CompensationStoryTest.atD().accepted(new ControlCommand.TerminateRun("now"));
        assertEquals(RunStatus.TERMINATED, story.status());
        story.accepted(SuspendStoryTest.ok(story, "d#1", 1));
        assertEquals(List.of("EffectObserved"), story.lastKinds());
    }

    @Test
    void failsByForceWithTheReasonAndUndoesWhatItsPolicySays() {
        Story story = Story.of(Programs.dag()
                        .onFailure(Scope.FailurePolicy.COMPENSATE)
                        .undoable("a")
                        .task("b")
                        .chain("start", "a", "b"))
                .start()
                .ok("a")
                .accepted(new ControlCommand.FailRun("the bank is gone"));
        assertEquals(RunStatus.FAILING, story.status());
        story.answer("b", new TaskAnswer.TimedOut()).ok("a#-1");

        assertEquals(RunStatus.FAILED, story.status());
        EventBody.RunFailed failed = story.all(EventBody.RunFailed.class).getFirst();
        assertEquals("FORCED", failed.error().code());
        assertEquals("the bank is gone", failed.error().message());
        assertEquals(1, story.all(CompensationEvent.CompensationApplied.class).size());
        story.rejected(RejectionCode.INVALID_STATE, new ControlCommand.FailRun("again"));
    }

    @Test
    void terminatingStopsUndoingToo() {
        Story story = CompensationStoryTest.atD()
                .accepted(CompensationStoryTest.CANCEL)
                .answer("d", new TaskAnswer.TimedOut())
                .accepted(new ControlCommand.TerminateRun("now"));
        assertEquals(RunStatus.TERMINATED, story.status());
        assertEquals(1, story.all(ControlEvent.RunTerminated.class).size());
    }

    /** Case 8, as far as one run goes: an interruption that ended a nested scope leaves a run that can be canceled. */
    @Test
    void cancelStillWorksAfterAScopeWasInterrupted() {
        Story story = Story.of(Programs.flow()
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .undoable("in")
                        .tasks("left", "out")
                        .edge("in", "left")
                        .edge("in", "out")
                        .edge("out", "next")
                        .on(Outcome.FAILURE, "left", "next")
                        .edge("start", "in")
                        .edge("next", "end"))
                .start()
                .ok("in")
                .failForGood("left")
                .accepted(CompensationStoryTest.CANCEL)
                .answer("next", new TaskAnswer.TimedOut())
                .answer("out", new TaskAnswer.TimedOut());
        story.ok("in#-1");
        assertEquals(RunStatus.CANCELED, story.status());
        story.rejected(RejectionCode.INVALID_STATE, CompensationStoryTest.CANCEL);
    }

    @Test
    void aLargeRunIsCanceledInBoundedDecisions() {
        Programs program = Programs.dag();
        for (int i = 0; i < 30; i++) {
            program.undoable("t" + i).edge("start", "t" + i);
        }
        Story story = Story.of(program)
                .with(new Bounds(5, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn();
        for (int i = 0; i < 20; i++) {
            story.ok("t" + i).goOn();
        }
        story.accepted(CompensationStoryTest.CANCEL).goOn();
        for (int i = 20; i < 30; i++) {
            story.answer("t" + i, new TaskAnswer.TimedOut()).goOn();
        }
        for (int i = 19; i >= 0; i--) {
            story.ok("t" + i + "#-1").goOn();
        }
        assertEquals(RunStatus.CANCELED, story.status());
        assertEquals(
                20, story.all(CompensationEvent.CompensationScheduled.class).size());
        assertEquals(0, story.all(EventBody.RunFailing.class).size());
    }
}
