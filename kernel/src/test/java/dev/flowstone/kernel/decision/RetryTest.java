package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.TaskTimedOut;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R11, R12: attempts, their pauses and their late answers. */
final class RetryTest {
    private static final Retry PATIENT = new Retry(4, Duration.ofSeconds(1), 3, Duration.ofSeconds(5), false);
    private static final Retry EAGER = new Retry(3, Duration.ZERO, 1, Duration.ZERO, false);

    private static Story story(Retry retry) {
        return Story.of(Programs.dag().task("a", retry).edge("start", "a")).start();
    }

    @Test
    void pausesGrowExponentiallyUpToTheCap() {
        Story story = story(PATIENT);

        for (int millis : new int[] {1_000, 3_000, 5_000}) {
            story.fail("a");
            assertEquals(
                    Story.BIRTH.plusMillis(millis),
                    story.state().timers().getFirst().dueAt());
            story.fire("a#1/retry", story.state().timers().getFirst().generation());
        }
        story.fail("a");

        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(
                List.of(false, false, false, true),
                story.all(TaskFailed.class).stream().map(TaskFailed::settles).toList());
    }

    @Test
    void jitterLiesBetweenHalfAndAllOfThePause() {
        for (long seed = 0; seed < 1_000; seed++) {
            Duration pause =
                    Backoff.after(1, new Retry(2, Duration.ofSeconds(10), 2, Duration.ofMinutes(1), true), seed);
            assertTrue(pause.compareTo(Duration.ofSeconds(5)) >= 0 && pause.compareTo(Duration.ofSeconds(10)) < 0);
        }
    }

    @Test
    void aZeroPauseSchedulesDirectly() {
        Story story = story(EAGER).fail("a");

        assertEquals(List.of("TaskFailed", "TaskScheduled"), story.lastKinds());
        assertEquals(2, story.state().openAttempts().getFirst().attempt());
    }

    @Test
    void theRenderedInputIsReused() {
        Story story = Story.of(Programs.dag()
                        .task(
                                "a",
                                EAGER,
                                JsonObject.builder().put("x", "{{vars}}").build(),
                                true,
                                Routing.ALL)
                        .edge("start", "a"))
                .start()
                .fail("a");

        TaskScheduled second = story.all(TaskScheduled.class).getLast();
        assertEquals(Optional.empty(), second.input());
        Attempt attempt = story.state().openAttempts().getFirst();
        assertEquals(Payload.of(JsonObject.builder().put("x", JsonObject.EMPTY).build()), attempt.input());
    }

    @Test
    void aNodeThatRerendersGetsItsInputAnew() {
        Story story = Story.of(Programs.dag()
                        .task("a", EAGER, new JsonString("{{vars}}"), true, true, Routing.ALL)
                        .edge("start", "a"))
                .start();
        story.with(new Env(
                story.env().expressions(),
                story.env().facts(),
                JsonObject.builder().put("n", 2).build(),
                Bounds.DEFAULT));

        story.fail("a");

        assertEquals(
                Optional.of(Payload.of(JsonObject.builder().put("n", 2).build())),
                story.all(TaskScheduled.class).getLast().input());
    }

    @Test
    void permanentAndDeniedAreNotRetried() {
        for (FailureClass failure : List.of(FailureClass.PERMANENT, FailureClass.POLICY_DENIED)) {
            Story story = story(PATIENT).answer("a", Story.failed(failure));
            assertEquals(RunStatus.FAILED, story.status());
        }
    }

    @Test
    void anExternalLimitIsRespected() {
        Story story = story(PATIENT)
                .answer(
                        "a",
                        new TaskAnswer.Failed(
                                FailureClass.EXTERNAL_LIMIT,
                                TaskError.of("QUOTA", "slow down"),
                                Optional.of(Duration.ofMinutes(10))));

        assertEquals(
                Story.BIRTH.plus(Duration.ofMinutes(10)),
                story.state().timers().getFirst().dueAt());
    }

    @Test
    void aTimeoutIsRetriedAndItsLastOneIsAnOutcome() {
        Story story = story(new Retry(2, Duration.ZERO, 1, Duration.ZERO, false));

        story.answer("a", new TaskAnswer.TimedOut()).answer("a", new TaskAnswer.TimedOut());

        assertEquals(
                List.of(false, true),
                story.all(TaskTimedOut.class).stream()
                        .map(TaskTimedOut::settles)
                        .toList());
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** A handler that kills its node uses attempts up; they follow each other without a pause. */
    @Test
    void aLostAttemptIsFollowedAtOnceAndCounts() {
        Story story = story(PATIENT);

        story.answer("a", new TaskAnswer.Lost());
        assertEquals(List.of("TaskFailed", "TaskScheduled"), story.lastKinds());
        story.answer("a", new TaskAnswer.Lost())
                .answer("a", new TaskAnswer.Lost())
                .answer("a", new TaskAnswer.Lost());

        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(
                "ATTEMPT_LOST", story.all(TaskFailed.class).getLast().error().code());
    }

    @Test
    void aReturnedAttemptKeepsItsNumber() {
        Story story = story(Retry.NONE).answer("a", new TaskAnswer.Returned());

        Attempt attempt = story.state().openAttempts().getFirst();
        assertEquals(1, attempt.attempt());
        assertTrue(attempt.returned());
        story.ignored(new Command.CompleteTask(story.id("a"), 1, new TaskAnswer.Returned()));
        story.ok("a");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** R11: once it is out again, its node may die of it, and that counts. */
    @Test
    void aReturnedAttemptThatIsHandedOutAgainCanBeLost() {
        Story story = story(Retry.NONE);
        Command handOut = new Command.HandOutTask(story.id("a"), 1);
        story.ignored(handOut);
        story.answer("a", new TaskAnswer.Returned()).accepted(handOut);

        assertEquals(List.of("TaskHandedOut"), story.lastKinds());
        assertFalse(story.state().openAttempts().getFirst().returned());
        story.restored().ignored(handOut);
        story.answer("a", new TaskAnswer.Lost());
        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(1, story.all(TaskScheduled.class).size());
    }

    @Test
    void onlyTheOpenAttemptIsHandedOutAgain() {
        Story story = story(EAGER).fail("a").answer("a", new TaskAnswer.Returned());
        Command stale = new Command.HandOutTask(story.id("a"), 1);

        story.rejected(RejectionCode.INVALID_STATE, stale);
        story.rejected(RejectionCode.INVALID_STATE, new Command.HandOutTask(story.id("start#1"), 1));
        story.ok("a");
        story.rejected(RejectionCode.INVALID_STATE, stale);
    }

    /** R12: a success of any attempt counts, also during the pause; the timer goes. */
    @Test
    void aLateSuccessOfAnEarlierAttemptIsAccepted() {
        Story pausing = story(PATIENT).fail("a");
        pausing.accepted(
                new Command.CompleteTask(pausing.id("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(5)))));
        assertEquals(List.of("TimerCanceled", "TaskCompleted", "Transitioned", "RunCompleted"), pausing.lastKinds());

        Story running = story(EAGER).answer("a", new TaskAnswer.TimedOut());
        running.accepted(
                new Command.CompleteTask(running.id("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(5)))));
        assertEquals(RunStatus.SUCCEEDED, running.status());
    }

    /** R12 */
    @Test
    void ignoresAFailureOfAnAttemptThatIsNotTheCurrentOne() {
        Story story = story(EAGER).fail("a");
        for (TaskAnswer answer : List.of(
                Story.failed(FailureClass.PERMANENT),
                new TaskAnswer.TimedOut(),
                new TaskAnswer.Lost(),
                new TaskAnswer.Returned())) {
            story.ignored(new Command.CompleteTask(story.id("a#1"), 1, answer));
        }
    }

    /** cases.md 7: one success, one clean answer that it was done. */
    @Test
    void acceptsTheSameAnswerAgainAndRejectsAnother() {
        Story story = Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"))
                .start();
        TaskAnswer answer = new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)));
        Command complete = new Command.CompleteTask(story.id("a"), 1, answer);
        story.accepted(complete);

        story.ignored(complete);
        story.restored().ignored(complete);
        story.rejected(
                RejectionCode.CONFLICT,
                new Command.CompleteTask(story.id("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(2)))));
        story.rejected(
                RejectionCode.CONFLICT,
                new Command.CompleteTask(story.id("a#1"), 1, Story.failed(FailureClass.PERMANENT)));
    }

    /** cases.md 23: cut or refused by a declared bound; the run goes on. */
    @Test
    void hugeAnswersBecomeFailuresAndHugeMessagesAreCut() {
        Bounds small = new Bounds(100, 100, 20_000, 4_000, 5_000_000);
        Story story = Story.of(Programs.dag().task("a", PATIENT).edge("start", "a"))
                .with(small)
                .start();
        TaskAnswer huge = new TaskAnswer.Ok(Payload.of(new JsonString("x".repeat(30_000))));
        Command complete = new Command.CompleteTask(story.id("a"), 1, huge);
        story.accepted(complete);

        assertEquals(
                "RESULT_TOO_LARGE",
                story.all(TaskFailed.class).getFirst().error().code());
        assertEquals(RunStatus.FAILED, story.status());
        story.ignored(complete);

        Story wordy = Story.of(Programs.dag().task("a").edge("start", "a"))
                .with(small)
                .start();
        wordy.answer(
                "a",
                new TaskAnswer.Failed(
                        FailureClass.PERMANENT,
                        new TaskError(
                                "X".repeat(1_000_000),
                                "\ud800" + "y".repeat(1_000_000),
                                JsonObject.builder()
                                        .put("z", "z".repeat(100_000))
                                        .build()),
                        Optional.empty()));
        TaskError kept = wordy.all(TaskFailed.class).getFirst().error();
        assertEquals(Answers.CODE, kept.code().length());
        assertTrue(kept.message().length() <= Answers.MESSAGE && kept.message().startsWith("\ufffdy"));
        assertEquals(Optional.empty(), kept.details().find("z"));
    }
}
