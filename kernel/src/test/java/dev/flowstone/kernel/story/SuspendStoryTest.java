package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Control;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R25: suspended runs decide nothing and forget nothing. */
final class SuspendStoryTest {
    static final HoldPolicy CATCH_UP = new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.BUFFER);
    static final Command SUSPEND = new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run");
    static final Command RESUME = new ControlCommand.ResumeRun("done");
    static final Command DRAIN =
            new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofMinutes(10), "upgrade", "run");

    @Test
    void answersToASuspendedRunWaitInOrderAndAreAppliedWhenItIsResumed() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .edge("start", "a")
                        .edge("start", "b")
                        .edge("a", "c"))
                .start()
                .accepted(SUSPEND);
        Decision.Accepted first = assertInstanceOf(Decision.Accepted.class, story.decide(ok(story, "b", 2)));
        assertTrue(first.buffered());
        story.ok("a", 1);
        assertEquals(List.of("InputBuffered"), story.lastKinds());
        assertEquals(2, story.state().buffered());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertFalse(story.state().continues());
        assertEquals(new Control.ResumePreview(Map.of("CompleteTask", 2), 0, 0), Control.previewResume(story.state()));

        story.accepted(RESUME);

        assertEquals(
                List.of(
                        "RunResumed",
                        "BufferedInputTaken",
                        "TaskCompleted",
                        "Transitioned",
                        "BufferedInputTaken",
                        "TaskCompleted",
                        "Transitioned",
                        "ActivationOpened",
                        "TaskScheduled"),
                story.lastKinds().stream()
                        .filter(kind -> !kind.equals("ActivationSkipped"))
                        .toList());
        assertEquals(List.of("c"), story.open());
        assertEquals(0, story.state().buffered());
        story.ok("c");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void whatTurnsOutToBeRefusedLaterIsAnEvent() {
        Story story =
                Story.of(Programs.dag().tasks("a").edge("start", "a")).start().accepted(SUSPEND);
        story.ok("a", 1).ok("a", 2);

        story.accepted(RESUME);

        ControlEvent.BufferedInputRefused refused =
                story.all(ControlEvent.BufferedInputRefused.class).getFirst();
        assertEquals(2, refused.number());
        assertEquals("CONFLICT", refused.code());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void frozenTimersGoOnWithWhatWasLeftOfTheirTime() {
        Story story = Story.of(
                        Programs.dag().timer("t", "PT1H").edge("start", "t").deadline(Duration.ofHours(5)))
                .start()
                .later(Duration.ofMinutes(20))
                .accepted(SUSPEND);
        assertEquals(List.of(), story.state().timers());
        assertEquals(
                List.of("RunSuspended", "TimerFrozen", "TimerCanceled", "TimerFrozen", "TimerCanceled"),
                story.lastKinds());
        story.rejected(RejectionCode.NOT_FOUND, new Command.FireTimer(new TimerId("t#1"), 1));
        story.later(Duration.ofDays(3)).restored().accepted(RESUME);

        TimerState timer = story.state().timers().getLast();
        assertEquals(2, timer.generation());
        assertEquals(EventBody.TimerPurpose.WAIT, timer.purpose());
        assertEquals(Story.BIRTH.plus(Duration.ofDays(3)).plus(Duration.ofHours(1)), timer.dueAt());
        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(new TimerId("t#1"), 1));
        story.fire("t#1", 2);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aTimerThatFallsDueMeanwhileCatchesUpAfterResume() {
        Story story = Story.of(Programs.dag().timer("t", "PT1H").edge("start", "t"))
                .start()
                .accepted(new ControlCommand.SuspendRun(CATCH_UP, "audit", "run"))
                .later(Duration.ofHours(2));
        story.fire("t#1", 1);
        assertEquals(List.of("TimerFrozen", "TimerCanceled"), story.lastKinds());

        story.accepted(RESUME);

        assertEquals(List.of("RunResumed", "TimerSet"), story.lastKinds());
        assertEquals(
                Story.BIRTH.plus(Duration.ofHours(2)),
                story.state().timers().getFirst().dueAt());
        story.fire("t#1", 2);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** A generation never comes back, so that an old firing can't set off a later pause. */
    @Test
    void generationsGrowOnAfterATimerWasSetAgain() {
        Retry patient = new Retry(9, Duration.ofSeconds(10), 1, Duration.ofMinutes(1), false);
        Story story = Story.of(Programs.dag().task("a", patient).edge("start", "a"))
                .start()
                .fail("a")
                .accepted(SUSPEND)
                .accepted(RESUME)
                .fire("a#1/retry", 2)
                .fail("a");
        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(new TimerId("a#1/retry"), 2));
        assertEquals(3, story.state().timers().getFirst().generation());
    }

    @Test
    void newInputQueuesBehindWhatIsStillToBeApplied() {
        Programs program = Programs.dag();
        for (int i = 0; i < 5; i++) {
            program.task("t" + i).edge("start", "t" + i);
        }
        Story story = Story.of(program)
                .with(Bounds.DEFAULT.withControl(new ControlBounds(4, 1)))
                .start()
                .accepted(SUSPEND);
        for (int i = 0; i < 4; i++) {
            story.ok("t" + i);
        }
        story.rejected(RejectionCode.SUSPENDED, ok(story, "t4", 1));

        story.accepted(RESUME);

        assertEquals(3, story.state().buffered());
        assertTrue(story.state().continues());
        story.ok("t4");
        assertEquals("InputBuffered", story.lastKinds().getFirst());
        story.goOn();
        assertEquals(
                List.of("t0#1", "t1#1", "t2#1", "t3#1", "t4#1"),
                story.all(EventBody.TaskCompleted.class).stream()
                        .map(done -> done.activation().toString())
                        .toList());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** A timer or an answer that the engine brings comes once; a caller is told that there is no room. */
    @Test
    void whatTheEngineBringsIsKeptBeyondTheBound() {
        Story story = Story.of(
                        Programs.dag().task("a").task("b").edge("start", "a").edge("start", "b"))
                .with(Bounds.DEFAULT.withControl(new ControlBounds(1, 100)))
                .start()
                .accepted(SUSPEND)
                .byEngine()
                .ok("a")
                .ok("b");

        assertEquals(2, story.state().buffered());
        story.by("ada").rejected(RejectionCode.SUSPENDED, ok(story, "b", 1));
        story.accepted(RESUME);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aDrainingRunFinishesItsWorkStartsNothingNewAndSuspendsItself() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b")
                        .timer("t", "PT1H")
                        .chain("start", "a", "b")
                        .edge("start", "t"))
                .start()
                .accepted(DRAIN);
        assertEquals(Hold.DRAINING, story.state().hold());

        story.ok("a");

        assertTrue(story.lastKinds().contains("ActivationParked"), story.tale());
        assertEquals(List.of(), story.open());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(1, Control.previewResume(story.state()).released());
        story.restored().accepted(RESUME);
        assertEquals(List.of("b"), story.open());
        assertEquals("t#1", story.state().timers().getFirst().timer().value());
        story.ok("b").fire("t#1", 2);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aDrainIsOverAtItsTimeToLive() {
        Story story =
                Story.of(Programs.dag().tasks("a").edge("start", "a")).start().accepted(DRAIN);
        story.later(Duration.ofMinutes(10)).fire("drain", 1);
        assertEquals(Hold.SUSPENDED, story.state().hold());
        story.ok("a").accepted(RESUME);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aCanceledSuspendedRunStillHearsWhatItsWorkHasDone() {
        Story story = Story.of(
                        Programs.flow().undoable("a").undoable("b").end("end").chain("start", "a", "b", "end"))
                .start()
                .ok("a", 1)
                .accepted(SUSPEND)
                .ok("b", 2)
                .accepted(new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty()));
        assertEquals(Hold.NONE, story.state().hold());
        assertEquals(RunStatus.COMPENSATING, story.status());
        assertEquals(1, story.all(EventBody.EffectObserved.class).size());
        story.ok("b#-1").ok("a#-1");
        assertEquals(RunStatus.CANCELED, story.status());
    }

    static Command ok(Story story, String node, long value) {
        return new Command.CompleteTask(story.id(node), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(value))));
    }
}
