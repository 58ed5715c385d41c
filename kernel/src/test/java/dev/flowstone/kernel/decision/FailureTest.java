package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody.ActivationCanceled;
import dev.flowstone.kernel.event.EventBody.EffectObserved;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.RunFailing;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R7, R9, R23: handled failures, and runs that fail fast. */
final class FailureTest {
    private static final Retry TWICE = new Retry(2, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), false);

    @Test
    void anUnhandledFailureFailsTheRun() {
        Story story = Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"));

        story.start().failForGood("a");

        assertEquals(
                List.of("TaskFailed", "Transitioned", "RunFailing", "ActivationSkipped", "RunFailed"),
                story.lastKinds());
        RunFailed failed = story.all(RunFailed.class).getFirst();
        assertEquals("BROKEN", failed.error().code());
        assertEquals("a", failed.node().orElseThrow().value());
    }

    /** R23: what lives is canceled, what was handed out is waited for, the rest is skipped. */
    @Test
    void aFailingRunWaitsForEveryAttemptThatWasHandedOut() {
        Story story = Story.of(Programs.dag()
                .tasks("a", "b", "c", "join")
                .edge("start", "a")
                .edge("start", "b")
                .edge("start", "c")
                .edge("a", "join")
                .edge("b", "join")
                .edge("c", "join"));

        story.start().failForGood("b");
        assertEquals(RunStatus.FAILING, story.status());
        assertEquals(List.of("a", "c"), story.open());
        assertEquals(2, story.all(ActivationCanceled.class).size());

        story.fail("c");
        assertEquals(RunStatus.FAILING, story.status());
        assertFalse(story.all(TaskFailed.class).getLast().settles());

        story.ok("a", 7);
        assertEquals(List.of("EffectObserved", "RunFailed"), story.lastKinds());
        assertEquals(
                Payload.of(JsonNumber.of(7)),
                story.all(EffectObserved.class).getFirst().output());
    }

    @Test
    void everyOtherAnswerToACanceledAttemptEndsTheWaitingToo() {
        List<TaskAnswer> answers = List.of(
                new TaskAnswer.TimedOut(),
                new TaskAnswer.Lost(),
                new TaskAnswer.Returned(),
                new TaskAnswer.Skipped("nothing to do"),
                Story.failed(FailureClass.PERMANENT));
        for (TaskAnswer answer : answers) {
            Story story =
                    Story.of(Programs.dag().tasks("a", "b").edge("start", "a").edge("start", "b"));
            story.start().failForGood("a").answer("b", answer);

            assertEquals(RunStatus.FAILED, story.status(), answer.toString());
        }
    }

    /** R12: also when the run has ended; a real effect is never forgotten. */
    @Test
    void aSuccessAfterItsTimeoutIsObservedInAFailedRun() {
        Story story = Story.of(Programs.dag().tasks("a", "b").edge("start", "a").edge("start", "b"));
        story.start().failForGood("a").answer("b", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.FAILED, story.status());

        Command late = new Command.CompleteTask(story.id("b#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(1))));
        story.accepted(late);
        assertEquals(List.of("EffectObserved"), story.lastKinds());
        assertEquals(RunStatus.FAILED, story.status());
        story.ignored(late);
    }

    /** Handlers that go by their key give equal answers; found by the fault simulator. */
    @Test
    void theCurrentAttemptsSuccessEndsTheWaitThoughAnEarlierOneWasEqual() {
        Retry eager = new Retry(2, Duration.ZERO, 1, Duration.ZERO, false);
        Story story = Story.of(
                Programs.dag().task("a", eager).task("b").edge("start", "a").edge("start", "b"));
        story.start().answer("a", new TaskAnswer.TimedOut()).failForGood("b");
        TaskAnswer equal = new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)));
        story.accepted(new Command.CompleteTask(story.id("a#1"), 1, equal));
        assertEquals(RunStatus.FAILING, story.status());

        Command current = new Command.CompleteTask(story.id("a#1"), 2, equal);
        story.accepted(current);

        assertEquals(List.of("EffectObserved", "RunFailed"), story.lastKinds());
        story.ignored(current);
    }

    /** R23: the newer attempt was handed out too, and has not answered. */
    @Test
    void aLateSuccessOfAnEarlierAttemptDoesNotEndTheWaitForTheCurrentOne() {
        Retry eager = new Retry(2, Duration.ZERO, 1, Duration.ZERO, false);
        Story story = Story.of(
                Programs.dag().task("a", eager).task("b").edge("start", "a").edge("start", "b"));
        story.start().answer("a", new TaskAnswer.TimedOut()).failForGood("b");

        story.accepted(new Command.CompleteTask(story.id("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)))));
        assertEquals(List.of("EffectObserved"), story.lastKinds());
        assertEquals(RunStatus.FAILING, story.status());

        story.answer("a", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** R9: handled by an edge on failure or always. */
    @Test
    void aHandledFailureGoesOn() {
        for (Outcome on : List.of(Outcome.FAILURE, Outcome.ALWAYS)) {
            Story story = Story.of(Programs.dag()
                    .task("a", Retry.NONE, JsonObject.EMPTY, true, Routing.ALL)
                    .task("fix", Retry.NONE, new JsonString("{{context.data.a}}"), true, Routing.ALL)
                    .edge("start", "a")
                    .on(on, "a", "fix"));

            story.start().failForGood("a");
            JsonObject seen = (JsonObject)
                    ((Payload.Inline) story.state().openAttempts().getFirst().input()).value();
            assertEquals(new JsonString("a"), seen.get("errorNode"));
            assertTrue(seen.get("error") instanceof JsonObject);

            story.ok("fix");
            assertEquals(RunStatus.SUCCEEDED, story.status());
        }
    }

    /** R9: onFailure is a failure/else edge, suppressed only by a failure edge that was taken. */
    @Test
    void onFailureIsSuppressedOnlyByAFailureEdgeThatWasTaken() {
        Story untaken = onFailure("false");
        untaken.start().failForGood("a");
        assertEquals(List.of("always", "rescue"), untaken.open());

        Story taken = onFailure("true");
        taken.start().failForGood("a");
        assertEquals(List.of("always", "special"), taken.open());
    }

    private static Story onFailure(String condition) {
        return Story.of(Programs.dag()
                .tasks("a", "special", "rescue", "always")
                .edge("start", "a")
                .edge("a", "special", Outcome.FAILURE, Optional.of(condition), false, 0)
                .on(Outcome.ALWAYS, "a", "always")
                .otherwise(Outcome.FAILURE, "a", "rescue"));
    }

    /** R8: timeout and denied without an edge of their own count as failure. */
    @Test
    void timeoutAndDeniedCountAsFailureUnlessTheyHaveAnEdge() {
        Programs program =
                Programs.dag().tasks("a", "fix", "late").edge("start", "a").on(Outcome.FAILURE, "a", "fix");
        Story denied = Story.of(program);
        denied.start().answer("a", Story.failed(FailureClass.POLICY_DENIED));
        assertEquals(List.of("fix"), denied.open());
        assertEquals(Outcome.DENIED, denied.all(Transitioned.class).getLast().outcome());

        Story timeout = Story.of(program.on(Outcome.TIMEOUT, "a", "late"));
        timeout.start().answer("a", new TaskAnswer.TimedOut());
        assertEquals(List.of("late"), timeout.open());
    }

    @Test
    void aFailingRunRetriesNothing() {
        Story story = Story.of(
                Programs.dag().task("a").task("b", TWICE).edge("start", "a").edge("start", "b"));
        story.start().fail("b");
        assertEquals(1, story.state().timers().size());

        story.failForGood("a");

        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(2, story.all(TaskScheduled.class).size());
    }

    /** Rendered input: the activation opens and fails without having been handed out. */
    @Test
    void aTemplateErrorFailsTheActivationWithoutDispatch() {
        Story story = Story.of(Programs.dag()
                .task("a", TWICE, JsonObject.builder().put("x", "{{nowhere}}").build(), true, Routing.ALL)
                .edge("start", "a"));

        story.start();

        TaskFailed failed = story.all(TaskFailed.class).getFirst();
        assertEquals("TEMPLATE_ERROR", failed.error().code());
        assertEquals(new JsonString("/x"), failed.error().details().get("pointer"));
        assertEquals(FailureClass.PERMANENT, failed.failure());
        assertTrue(failed.settles());
        assertEquals(List.of(), story.all(TaskScheduled.class));
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void theDeadlineFailsTheRun() {
        Story story = Story.of(Programs.dag().tasks("a").edge("start", "a").deadline(Duration.ofHours(1)));
        story.start().later(Duration.ofHours(1)).fire("deadline", 1);

        RunFailing failing = story.all(RunFailing.class).getFirst();
        assertEquals("RUN_DEADLINE", failing.error().code());
        assertEquals(RunStatus.FAILING, story.status());
        story.answer("a", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void theDeadlineIsCanceledWhenTheRunEnds() {
        Story story = Story.of(Programs.dag().tasks("a").edge("start", "a").deadline(Duration.ofHours(1)));
        story.start().ok("a");

        assertEquals(List.of("TaskCompleted", "Transitioned", "TimerCanceled", "RunCompleted"), story.lastKinds());
    }

    /** The first reason counts, however long the ending takes. */
    @Test
    void aDeadlineThatPassesWhileTheRunFailsIsNoSecondFailure() {
        Story story = failingForLong();

        story.later(Duration.ofHours(1)).fire("deadline", 1).goOn();
        for (int i = 1; i < 10; i++) {
            story.answer("t" + i, new TaskAnswer.TimedOut());
        }

        assertEquals(1, story.all(RunFailing.class).size());
        assertEquals("BROKEN", story.all(RunFailed.class).getFirst().error().code());
    }

    @Test
    void whatFailsBeforeItIsCanceledIsNotTriedAgainEither() {
        Story story = failingForLong().fail("t9");

        assertEquals(10, story.all(TaskScheduled.class).size());
        assertEquals(1, story.state().timers().size(), "the deadline alone");
    }

    /** A run whose failing takes more than one decision. */
    private static Story failingForLong() {
        Programs program = Programs.dag().deadline(Duration.ofHours(1));
        for (int i = 0; i < 10; i++) {
            program.task("t" + i, TWICE).edge("start", "t" + i);
        }
        Story story = Story.of(program)
                .with(new Bounds(3, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn()
                .failForGood("t0");
        assertTrue(story.state().continues());
        return story;
    }
}
