package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R24, cases 13 and 14: newest first, per scope, each once, whatever dies in between. */
final class CompensationStoryTest {
    static final Command CANCEL = new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty());

    private static Programs three() {
        return Programs.flow()
                .undoable("a")
                .undoable("b")
                .strictTask("plain")
                .undoable("c")
                .strictTask("d")
                .end("end")
                .chain("start", "a", "b", "plain", "c", "d", "end");
    }

    static Story atD() {
        return Story.of(three()).start().ok("a", 1).ok("b", 2).ok("plain").ok("c", 3);
    }

    /** Case 13. */
    @Test
    void undoesNewestFirstOneAtATimeEachOnce() {
        Story story = atD().accepted(CANCEL);
        assertEquals(RunStatus.CANCELING, story.status());
        story.answer("d", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.COMPENSATING, story.status());
        for (String next : List.of("c#-1", "b#-1", "a#-1")) {
            assertEquals(1, story.state().openAttempts().size());
            Attempt attempt = story.state().openAttempts().getFirst();
            assertEquals(next, attempt.activation().toString());
            story.restored().ok(next);
        }
        assertEquals(RunStatus.CANCELED, story.status());
        assertEquals(
                List.of("c#-1", "b#-1", "a#-1"),
                story.all(CompensationEvent.CompensationApplied.class).stream()
                        .map(applied -> applied.activation().toString())
                        .toList());
    }

    @Test
    void seesWhatTheUndoneVisitHadAnswered() {
        Story story = Story.of(Programs.flow()
                        .undoable("a")
                        .end("end")
                        .edge("start", "a")
                        .edge("a", "a", "context.data.a=1")
                        .edge("a", "end", "context.data.a=2"))
                .start()
                .ok("a", 1)
                .ok("a", 1)
                .accepted(CANCEL)
                .ok("a#3", 7);
        for (int expected : new int[] {7, 1, 1}) {
            Attempt attempt = story.state().openAttempts().getFirst();
            assertEquals(Payload.of(JsonNumber.of(expected)), attempt.input());
            story.ok(attempt.activation().toString());
        }
        assertEquals(RunStatus.CANCELED, story.status());
    }

    /** Case 13: "also when the engine dies in the middle": every prefix of the log goes on to the same end. */
    @Test
    void goesOnFromAnyPrefixOfItsHistory() {
        Story whole = atD().accepted(CANCEL).answer("d", new TaskAnswer.Lost());
        whole.answer("c#-1", new TaskAnswer.Lost());
        whole.accepted(new HumanCommand.Attest("c#-1", "by hand")).ok("b#-1").ok("a#-1");
        RunState state = Kernel.initial(whole.program(), whole.programHash());
        for (Event event : whole.events()) {
            state = state.apply(event);
            RunState restored = Kernel.restore(whole.program(), whole.programHash(), state.toJson());
            assertEquals(state.toJson(), restored.toJson());
            assertEquals(state.openAttempts(), restored.openAttempts());
        }
        assertEquals(whole.state().toJson(), state.toJson());
        assertEquals(RunStatus.CANCELED, state.status());
        PrefixTest.goesOn("canceled", whole);
    }

    @Test
    void undoingIsRetriedAndThenBecomesAPersonsMatter() {
        Retry twice = new Retry(2, Duration.ofSeconds(1), 1, Duration.ofMinutes(1), false);
        Story story = Story.of(Programs.flow()
                        .undoable("a", twice, new JsonString("{{context.data.a}}"))
                        .strictTask("b")
                        .end("end")
                        .chain("start", "a", "b", "end"))
                .start()
                .ok("a", 1)
                .accepted(CANCEL)
                .answer("b", new TaskAnswer.TimedOut())
                .fail("a#-1")
                .fire("a#-1/retry", 1)
                .answer("a#-1", new TaskAnswer.TimedOut());
        assertEquals("a#-1", story.state().attestations().getFirst().id());
        assertEquals(RunStatus.COMPENSATING, story.status());
        story.ignored(new Command.CompleteTask(story.id("a#-1"), 2, new TaskAnswer.Lost()));
        story.accepted(new HumanCommand.Attest("a#-1", "refunded by hand"));
        assertEquals(RunStatus.CANCELED, story.status());
    }

    /** The retry stood still with the run; nothing would ever have set it going again. */
    @Test
    void aCancellationGoesOnWithAnUndoingWhoseRetryStoodStill() {
        Retry twice = new Retry(2, Duration.ofSeconds(1), 1, Duration.ofMinutes(1), false);
        Story story = Story.of(Programs.flow()
                        .undoable("a", twice, new JsonString("{{context.data.a}}"))
                        .strictTask("b")
                        .end("end")
                        .chain("start", "a", "b", "end"))
                .start()
                .ok("a", 1)
                .accepted(new ControlCommand.RollBack(new NodeId("a"), "wrong"))
                .answer("b", new TaskAnswer.TimedOut())
                .fail("a#-1")
                .accepted(new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        assertEquals(List.of(), story.state().timers());

        story.accepted(CANCEL).fire("a#-1/retry", 2).answer("a#-1", new TaskAnswer.Ok(Payload.of(JsonNumber.of(2))));
        assertEquals(RunStatus.CANCELED, story.status());
        assertEquals(1, story.all(CompensationEvent.CompensationApplied.class).size());
    }

    @Test
    void anIrreversibleEffectWaitsForAPerson() {
        Story story = Story.of(
                        Programs.flow().attested("a").strictTask("b").end("end").chain("start", "a", "b", "end"))
                .start()
                .ok("a")
                .accepted(CANCEL)
                .answer("b", new TaskAnswer.TimedOut());
        assertEquals(List.of(), story.open());
        story.rejected(RejectionCode.NOT_FOUND, new HumanCommand.Attest("b#-1", "?"));
        story.accepted(new HumanCommand.Attest("a#-1", "told them"));
        assertEquals(RunStatus.CANCELED, story.status());
    }

    @Test
    void aRepeatedAnswerOfAnUndoingChangesNothing() {
        Story story = atD().accepted(CANCEL).answer("d", new TaskAnswer.TimedOut());
        Command done = SuspendStoryTest.ok(story, "c#-1", 3);
        story.accepted(done).ignored(done);
        story.rejected(
                RejectionCode.CONFLICT,
                new Command.CompleteTask(story.id("c#-1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(4)))));
        story.rejected(
                RejectionCode.NOT_FOUND,
                new Command.CompleteTask(story.id("d#-9"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(4)))));
    }

    /** R17: the transaction of an undoing attempt that was given up for lost has changed the subject all the same. */
    @Test
    void aLateAnswerOfAnUndoingTellsTheSubjectsVersion() {
        Story story = atD().accepted(CANCEL).answer("d", new TaskAnswer.TimedOut());
        Command done = SuspendStoryTest.ok(story, "c#-1", 3);
        story.accepted(done);

        story.accepted(new Command.CompleteTask(
                story.id("c#-1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(4))), Optional.of(7L)));

        assertEquals(Optional.of(7L), story.state().subjectVersion());
    }

    @Test
    void anUnhandledFailureUndoesWhatWasDoneInAScopeThatSaysSo() {
        Story story = Story.of(three().onFailure(Scope.FailurePolicy.COMPENSATE))
                .start()
                .ok("a", 1)
                .failForGood("b");
        assertEquals(RunStatus.COMPENSATING, story.status());
        story.ok("a#-1");
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** R23: what was done around a scope that compensates stays, if the scope around it doesn't. */
    @Test
    void whatWasDoneAroundAScopeThatCompensatesStays() {
        Story story = Story.of(Programs.flow()
                        .undoable("outer")
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .onFailure(Scope.FailurePolicy.COMPENSATE)
                        .undoable("in")
                        .task("out")
                        .edge("in", "out")
                        .edge("out", "next")
                        .chain("start", "outer", "in")
                        .edge("next", "end"))
                .start()
                .ok("outer")
                .ok("in")
                .failForGood("out");
        assertEquals(List.of("in"), story.open());
        story.ok("in#-1");
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** R24: a closed scope is one entry of its parent's, undone from the inside. */
    @Test
    void aClosedScopeIsUndoneAsOne() {
        Story story = Story.of(Programs.flow()
                        .undoable("before")
                        .undoable("next")
                        .strictTask("last")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .undoable("in")
                        .undoable("out")
                        .edge("in", "out")
                        .edge("out", "next")
                        .chain("start", "before", "in")
                        .chain("next", "last", "end"))
                .start()
                .ok("before")
                .ok("in")
                .ok("out")
                .ok("next")
                .accepted(CANCEL)
                .answer("last", new TaskAnswer.TimedOut());
        for (String next : List.of("next#-1", "out#-1", "in#-1", "before#-1")) {
            assertEquals(
                    next, story.state().openAttempts().getFirst().activation().toString());
            story.ok(next);
        }
        assertEquals(RunStatus.CANCELED, story.status());
    }

    /** R12: the run goes on, but an effect that nobody waited for any more is undone. */
    @Test
    void anEffectOfACanceledActivationIsUndoneWhileTheRunGoesOn() {
        Story story = Story.of(Programs.flow()
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .tasks("in", "out")
                        .undoable("late")
                        .edge("in", "late")
                        .edge("in", "out")
                        .edge("out", "next")
                        .on(Outcome.FAILURE, "out", "next")
                        .edge("start", "in")
                        .edge("next", "end"))
                .start()
                .ok("in")
                .failForGood("out");
        assertEquals(List.of("late", "next"), story.open());
        story.ok("late", 5);
        assertEquals(RunStatus.RUNNING, story.status());
        assertEquals(
                "late#-1", story.state().openAttempts().getFirst().activation().toString());
        story.ok("next");
        assertEquals(RunStatus.RUNNING, story.status());
        story.ok("late#-1");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** R23: what succeeds after the end is a person's. */
    @Test
    void anEffectAfterTheEndAsksForAnAttestation() {
        Story story = Story.of(Programs.dag()
                        .undoable("a")
                        .tasks("b")
                        .edge("start", "a")
                        .edge("start", "b"))
                .start()
                .failForGood("b")
                .answer("a", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.FAILED, story.status());
        story.accepted(SuspendStoryTest.ok(story, "a#1", 1));
        assertEquals(List.of("EffectObserved", "AttestationRequested"), story.lastKinds());
        story.accepted(new HumanCommand.Attest("a#1", "seen"));
        assertEquals(List.of(), story.state().attestations());
    }
}
