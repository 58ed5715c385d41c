package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R12 and R24: a success that nobody waits for any more is a real effect: it is never forgotten, and it is undone. */
final class LateEffectStoryTest {
    private static Command late(String activation, long output) {
        return new Command.CompleteTask(
                ActivationId.parse(activation), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(output))));
    }

    /** The failure leads on to work that goes on. */
    private static Story timedOut(Scope.FailurePolicy policy) {
        return Story.of(Programs.flow()
                        .onFailure(policy)
                        .undoable("a")
                        .undoable("b")
                        .strictTask("instead")
                        .end("end")
                        .chain("start", "a", "b", "end")
                        .on(Outcome.FAILURE, "b", "instead")
                        .edge("instead", "end"))
                .start()
                .ok("a", 1)
                .answer("b", new TaskAnswer.TimedOut());
    }

    @Test
    void aLateSuccessOfWhatHasFailedIsRecordedAndUndone() {
        Story story = timedOut(Scope.FailurePolicy.FAIL);
        assertEquals(List.of("instead"), story.open());

        story.accepted(late("b#1", 7)).restored();

        assertEquals("EffectObserved", story.lastKinds().getFirst());
        Attempt undoing = story.state().openAttempts().stream()
                .filter(attempt -> attempt.activation().isUndoing())
                .findFirst()
                .orElseThrow();
        assertEquals("b#-1", undoing.activation().toString());
        assertEquals(Payload.of(JsonNumber.of(7)), undoing.input());
        story.ok("b#-1").ok("instead");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** The other effect, of a, is none of its business. */
    @Test
    void aLateSuccessIsUndoneOnce() {
        Story story = timedOut(Scope.FailurePolicy.FAIL).accepted(late("b#1", 7));

        story.ignored(late("b#1", 7));
        story.rejected(RejectionCode.CONFLICT, late("b#1", 8));
        story.ok("b#-1").ignored(late("b#1", 7));

        assertEquals(List.of("instead"), story.open());
        assertEquals(1, story.all(EventBody.EffectObserved.class).size());
    }

    /** It has told that it failed, and nothing is known of an effect but what it says now. */
    @Test
    void anAttemptThatHasFailedDoesNotSucceedLater() {
        Story story = Story.of(Programs.flow()
                        .undoable("a")
                        .strictTask("instead")
                        .chain("start", "a")
                        .on(Outcome.FAILURE, "a", "instead"))
                .start()
                .failForGood("a");

        story.rejected(RejectionCode.CONFLICT, late("a#1", 7));
    }

    @Test
    void aTooLateSuccessOfACompletedTaskIsAConflict() {
        timedOut(Scope.FailurePolicy.FAIL).rejected(RejectionCode.CONFLICT, late("a#1", 2));
    }

    private static Story parked() {
        return Story.of(Programs.flow()
                        .onFailure(Scope.FailurePolicy.PARK)
                        .undoable("b")
                        .strictTask("c")
                        .end("end")
                        .chain("start", "b", "c", "end"))
                .start()
                .answer("b", new TaskAnswer.TimedOut());
    }

    /** R23: skipped with what it has done, it is undone with the rest of its scope. */
    @Test
    void whatAPersonDecidesAboutIsRecordedAndUndoneWithTheRest() {
        Story story = parked().accepted(late("b#1", 7)).restored();
        assertEquals(List.of("EffectObserved"), story.lastKinds());
        assertEquals(List.of(), story.open());

        story.accepted(new ControlCommand.SkipIncident(incident(story), Payload.of(JsonNumber.of(7))))
                .accepted(CompensationStoryTest.CANCEL)
                .answer("c", new TaskAnswer.Lost());

        assertEquals(List.of("b"), story.open());
        assertEquals(
                Payload.of(JsonNumber.of(7)),
                story.state().openAttempts().getFirst().input());
        story.ok("b#-1");
        assertEquals(RunStatus.CANCELED, story.status());
    }

    private static long incident(Story story) {
        return story.state().incidents().getFirst().sequence();
    }

    /** What undoes it sees one answer only: the effect of another try would never be undone. */
    @Test
    void whatHasSucceededMeanwhileIsNotTriedAgain() {
        Story story = parked();
        Command again = new ControlCommand.RetryIncident(incident(story), Optional.of(Payload.of(JsonNumber.of(2))));

        story.accepted(late("b#1", 7)).rejected(RejectionCode.INVALID_STATE, again);
        story.restored().rejected(RejectionCode.INVALID_STATE, again);

        Story other = parked();
        other.accepted(again).accepted(late("b#1", 7));
        assertEquals(1, other.all(EventBody.TaskCompleted.class).size(), "a success of any attempt counts (R12)");
    }

    /** Two attempts of it that were given up, and may tell what they like. */
    private static Story givenUpTwice() {
        Retry twice = new Retry(2, Duration.ofSeconds(1), 1, Duration.ofMinutes(1), false);
        return Story.of(Programs.flow()
                        .task("b", twice)
                        .strictTask("instead")
                        .end("end")
                        .chain("start", "b", "end")
                        .on(Outcome.FAILURE, "b", "instead")
                        .edge("instead", "end"))
                .start()
                .answer("b", new TaskAnswer.TimedOut())
                .fire("b#1/retry", 1)
                .answer("b", new TaskAnswer.TimedOut());
    }

    /** A golden history: two effects of a task that counts as failed. */
    static Story contradicted() {
        return givenUpTwice().accepted(late("b#1", 7)).accepted(late("b#1", 8)).ok("instead");
    }

    /** R12: a handler that contradicts itself for ever doesn't write history for ever. */
    @Test
    void differentSuccessesOfOneAttemptAreRecordedOnceEachAndNotManyOfThem() {
        Story story = givenUpTwice();

        for (int turn = 0; turn < 3; turn++) {
            story.decide(late("b#1", 7));
            story.restored().decide(late("b#1", 8));
        }
        assertEquals(2, story.all(EventBody.EffectObserved.class).size());

        story.accepted(late("b#1", 9)).accepted(late("b#1", 10));
        story.restored().rejected(RejectionCode.CONFLICT, late("b#1", 11));
        story.ignored(late("b#1", 8));
        assertEquals(
                List.of(1, 2, 3, 4),
                story.all(EventBody.EffectObserved.class).stream()
                        .map(EventBody.EffectObserved::number)
                        .toList());
    }

    /** What is canceled has no answer, and its attempts may contradict each other as well. */
    @Test
    void differentSuccessesOfACanceledTaskAreRecordedOnceEach() {
        Story story = Story.of(Programs.flow().strictTask("a").end("end").chain("start", "a", "end"))
                .start()
                .accepted(CompensationStoryTest.CANCEL);

        for (int turn = 0; turn < 3; turn++) {
            story.decide(late("a#1", 7));
            story.restored().decide(late("a#1", 8));
        }

        assertEquals(2, story.all(EventBody.EffectObserved.class).size());
    }

    /** The open attempt's success is always recorded: the run's end waits for it. */
    @Test
    void theOpenAttemptsSuccessIsRecordedHoweverManyThereAre() {
        Retry twice = new Retry(2, Duration.ofSeconds(1), 1, Duration.ofMinutes(1), false);
        Story story = Story.of(Programs.flow().task("a", twice).end("end").chain("start", "a", "end"))
                .start()
                .answer("a", new TaskAnswer.TimedOut())
                .fire("a#1/retry", 1)
                .accepted(CompensationStoryTest.CANCEL);
        for (int i = 1; i <= 4; i++) {
            story.accepted(late("a#1", i));
        }
        story.rejected(RejectionCode.CONFLICT, late("a#1", 5));

        story.ok("a", 6);

        assertEquals(RunStatus.CANCELED, story.status());
    }

    /** R23: one task is one question, however often it tells. */
    @Test
    void afterTheRunsEndNobodyIsAskedTwiceAboutATask() {
        Retry twice = new Retry(2, Duration.ofSeconds(1), 1, Duration.ofMinutes(1), false);
        Story story = Story.of(Programs.flow()
                        .undoable("b", twice)
                        .strictTask("instead")
                        .end("end")
                        .chain("start", "b", "end")
                        .on(Outcome.FAILURE, "b", "instead")
                        .edge("instead", "end"))
                .start()
                .answer("b", new TaskAnswer.TimedOut())
                .fire("b#1/retry", 1)
                .answer("b", new TaskAnswer.TimedOut())
                .ok("instead")
                .accepted(late("b#1", 7))
                .accepted(new HumanCommand.Attest("b#1", "seen to"));

        story.restored().accepted(late("b#1", 8));

        assertEquals(List.of("EffectObserved"), story.lastKinds());
        assertEquals(List.of(), story.state().attestations());
    }

    /** Nothing undoes it any more: a person is asked, once. */
    @Test
    void afterTheRunsEndAPersonIsAskedAboutIt() {
        Story story = timedOut(Scope.FailurePolicy.FAIL).ok("instead");
        assertEquals(RunStatus.SUCCEEDED, story.status());

        story.accepted(late("b#1", 7));

        assertEquals(List.of("EffectObserved", "AttestationRequested"), story.lastKinds());
        story.ignored(late("b#1", 7)).rejected(RejectionCode.CONFLICT, late("b#1", 8));
        assertEquals(1, story.state().attestations().size());
    }

    /** R24: what waits for its turn, or for nothing, is no work that anybody could answer. */
    @Test
    void whatIsNotBeingUndoneIsNotFound() {
        Story story = timedOut(Scope.FailurePolicy.FAIL);
        story.rejected(RejectionCode.NOT_FOUND, late("a#-1", 1));
        story.rejected(RejectionCode.NOT_FOUND, late("instead#-1", 1));
        story.accepted(CompensationStoryTest.CANCEL).accepted(late("b#1", 7));
        story.answer("instead", new TaskAnswer.Lost());
        story.rejected(RejectionCode.NOT_FOUND, late("a#-1", 1));
        story.ok("b#-1", 1).rejected(RejectionCode.CONFLICT, late("b#-1", 2));
        story.ok("a#-1", 1).rejected(RejectionCode.CONFLICT, late("a#-1", 2));
    }

    /** R25: a cancellation undoes, and what undoes may be tried early; of a run that terminates nothing may. */
    @Test
    void onTheWayToItsEndOnlyWhatUndoesMayBeTriedEarly() {
        Retry twice = new Retry(2, Duration.ofMinutes(1), 1, Duration.ofMinutes(5), false);
        Story story = Story.of(Programs.flow()
                        .undoable("a", twice, JsonNumber.of(1))
                        .strictTask("b")
                        .end("end")
                        .chain("start", "a", "b", "end"))
                .start()
                .ok("a", 1)
                .accepted(CompensationStoryTest.CANCEL)
                .answer("b", new TaskAnswer.Lost())
                .answer("a#-1", Story.failed(FailureClass.RETRYABLE));
        Command force = new ControlCommand.ForceFireTimer(
                new TimerId(story.state().timers().getFirst().timer().value()));

        story.accepted(force);

        assertEquals("TimerForced", story.lastKinds().getFirst());
        assertEquals(List.of("a"), story.open());
        story.ok("a#-1");
        assertEquals(RunStatus.CANCELED, story.status());
    }
}
