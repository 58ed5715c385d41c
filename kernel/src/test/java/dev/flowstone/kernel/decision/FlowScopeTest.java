package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.ScopeClosed;
import dev.flowstone.kernel.event.EventBody.TokenDiscarded;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** State machines: R6, R7, R9, and settling scopes inside them. */
final class FlowScopeTest {
    /** cases.md 6: ids stay unique, counters apart. */
    @Test
    void everyVisitOfACycleIsAnActivationOfItsOwn() {
        Story story = Story.of(loop());
        story.start();
        for (int visit = 1; visit <= 3; visit++) {
            assertEquals(new ActivationId(story.id("work").node(), visit), story.id("work"));
            story.ok("work", JsonNumber.of(visit)).ok("check", JsonBoolean.of(visit == 3));
        }
        story.ok("last", 9);

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(9), story.output());
        assertEquals(
                List.of("start#1", "work#1", "check#1", "work#2", "check#2", "work#3", "check#3", "last#1", "end#1"),
                story.all(ActivationOpened.class).stream()
                        .map(opened -> opened.activation().toString())
                        .toList());
    }

    private static Programs loop() {
        return Programs.flow()
                .strictTask("work")
                .strictTask("check")
                .strictTask("last")
                .end("end")
                .chain("start", "work", "check")
                .edge("check", "last", "context.data.check")
                .otherwise(Outcome.SUCCESS, "check", "work")
                .edge("last", "end");
    }

    @Test
    void anAnswerForAnOldVisitIsACleanNo() {
        Story story = Story.of(loop()).start();
        story.ok("work", 1).ok("check", JsonBoolean.FALSE).ok("work", 2);

        TaskAnswer again = new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)));
        story.ignored(new Command.CompleteTask(story.id("work#1"), 1, again));
        story.rejected(RejectionCode.CONFLICT, new Command.CompleteTask(story.id("work#2"), 1, again));
        story.restored().ignored(new Command.CompleteTask(story.id("work#1"), 1, again));
    }

    /** R8: first takes the first and evaluates no further. */
    @Test
    void firstEvaluatesNoFurther() {
        Story story = Story.of(Programs.flow()
                .strictTask("a")
                .end("x")
                .end("y")
                .end("z")
                .edge("start", "a")
                .edge("a", "x", Outcome.SUCCESS, Optional.of("false"), false, 1)
                .edge("a", "y", Outcome.SUCCESS, Optional.of("true"), false, 2)
                .edge("a", "z", Outcome.SUCCESS, Optional.of("boom"), false, 3));

        story.start().ok("a");

        Transitioned chosen = story.all(Transitioned.class).get(1);
        assertEquals("[a->y]", chosen.taken().toString());
        assertEquals(2, chosen.conditions().size());
    }

    /** R9 */
    @Test
    void noEdgeTakenIsAnIncidentAndKeepsTheRunOpen() {
        Story story = Story.of(Programs.flow()
                .strictTask("a")
                .end("x")
                .edge("start", "a")
                .edge("a", "x", "false")
                .deadline(Duration.ofDays(1)));

        story.start().ok("a", 1);
        IncidentRaised incident = story.all(IncidentRaised.class).getFirst();
        assertEquals("NO_EDGE_TAKEN", incident.code());
        assertEquals(RunStatus.RUNNING, story.status());

        // The answer is kept, and the deadline still ends the run.
        story.restored()
                .ignored(new Command.CompleteTask(story.id("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)))));
        story.fire("deadline", 1);
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void anEndWithAFailureOutcomeFailsTheRun() {
        Story story = Story.of(Programs.flow()
                .strictTask("a")
                .end("bad", Outcome.FAILURE, false)
                .edge("start", "a")
                .edge("a", "bad"));

        story.start().ok("a");

        assertEquals(
                "ENDED_IN_FAILURE",
                story.all(RunFailed.class).getFirst().error().code());
    }

    /** R4: automatic visits without a wait between. */
    @Test
    void aRunawayLoopIsAnIncident() {
        Story story = Story.of(Programs.flow()
                        .timer("spin", "PT0S")
                        .strictTask("other")
                        .edge("start", "spin")
                        .edge("spin", "spin"))
                .with(new Bounds(10_000, 50, 1 << 20, 1 << 15, 5_000_000));

        story.start();

        assertEquals("RUNAWAY_LOOP", story.all(IncidentRaised.class).getFirst().code());
        assertEquals(51, story.all(ActivationOpened.class).size());
        assertEquals(RunStatus.RUNNING, story.status());
    }

    @Test
    void aLoopThatWaitsRunsForEver() {
        Story story = Story.of(Programs.flow()
                        .timer("tick", "PT1S")
                        .edge("start", "tick")
                        .edge("tick", "tick"))
                .with(new Bounds(1_000, 3, 1 << 20, 1 << 15, 5_000_000))
                .start();
        for (int visit = 1; visit <= 300; visit++) {
            story.fire("tick#" + visit, 1);
        }

        assertEquals(List.of(), story.all(IncidentRaised.class));
        assertTrue(story.state().weight() > 0);
    }

    /** An envelope's slot: R6's continuation. */
    @Test
    void aNestedSettlingScopeSettlesThenGoesOn() {
        Story story = Story.of(slot());
        story.start();
        assertEquals(List.of("left", "right"), story.open());
        story.ok("left");
        assertEquals(List.of("right"), story.open());
        story.ok("right").ok("merge");
        assertEquals(List.of("leaf"), story.open());
        story.ok("leaf");

        assertEquals(
                Optional.of("merge->next"),
                story.all(ScopeClosed.class).getFirst().followed().map(Object::toString));
        assertEquals(List.of("next"), story.open());
        story.ok("next", 5);
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(5), story.output());
    }

    /** start → [ in → left, right → merge → leaf ] → next → end; left on failure exits to next. */
    private static Programs slot() {
        return Programs.flow()
                .strictTask("next")
                .end("end")
                .settlingScope("slot", "in", "merge", "next")
                .timer("in", "PT0S")
                .tasks("left", "right", "merge", "leaf")
                .edge("in", "left")
                .edge("in", "right")
                .edge("left", "merge")
                .edge("right", "merge")
                .edge("merge", "leaf")
                .edge("merge", "next")
                .on(Outcome.FAILURE, "left", "next")
                .edge("start", "in")
                .edge("next", "end")
                .on(Outcome.FAILURE, "next", "in");
    }

    /** R7: an exit closes the scope, canceling what lives in it, and opens its target. */
    @Test
    void anExitCancelsTheScopeAndLeadsOn() {
        Story story = Story.of(slot()).start().failForGood("left");

        assertEquals(
                List.of(
                        "TaskFailed",
                        "Transitioned",
                        "ActivationCanceled",
                        "ScopeClosed",
                        "ActivationOpened",
                        "TaskScheduled"),
                story.lastKinds());
        assertEquals(List.of("next", "right"), story.open());
        story.ok("next");
        assertEquals(RunStatus.RUNNING, story.status());
        story.ok("right");
        assertEquals(List.of("EffectObserved", "WaitDiscounted", "RunCompleted"), story.lastKinds());
    }

    /** R6: the first exit in the work list wins; what is queued behind it in its scope is discarded. */
    @Test
    void workBehindAnExitIsDiscarded() {
        Story story = Story.of(Programs.flow()
                .end("end")
                .settlingScope("slot", "in", "x", "end")
                .tasks("in", "x", "y")
                .edge("in", "end", Outcome.SUCCESS, Optional.empty(), false, 1)
                .edge("in", "y", Outcome.SUCCESS, Optional.empty(), false, 2)
                .edge("in", "x", Outcome.SUCCESS, Optional.empty(), false, 3)
                .edge("x", "end")
                .edge("start", "in"));

        story.start().ok("in", 1);

        assertEquals(
                List.of("y", "x"),
                story.all(TokenDiscarded.class).stream()
                        .map(discarded -> discarded.node().value())
                        .toList());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(1), story.output());
    }

    /** Entering again is a new instance: visits count on, edges resolve anew. */
    @Test
    void aScopeThatIsEnteredAgainIsANewInstance() {
        Story story = Story.of(slot()).start();
        story.ok("left").ok("right").ok("merge").ok("leaf").failForGood("next");
        assertEquals(List.of("left", "right"), story.open());
        assertEquals("left#2", story.id("left").toString());
        story.restored().ok("right").ok("left").ok("merge").ok("leaf").ok("next");

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(
                List.of(1, 2),
                story.all(ScopeClosed.class).stream().map(ScopeClosed::number).toList());
    }

    @Test
    void noWayOutIsAnIncident() {
        Story story = Story.of(Programs.flow()
                .end("end")
                .settlingScope("slot", "in", "out", "end")
                .tasks("in", "out")
                .edge("in", "out", "false")
                .edge("out", "end")
                .edge("start", "in")
                .deadline(Duration.ofDays(1)));

        story.start().ok("in");
        assertEquals("NO_WAY_OUT", story.all(IncidentRaised.class).getFirst().code());
        assertEquals(RunStatus.RUNNING, story.status());
        story.restored().fire("deadline", 1);
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** Case: an exit over two scopes at once. */
    @Test
    void anExitClosesInnermostFirst() {
        Story story = Story.of(Programs.flow()
                .end("end")
                .flowScope("outer", "root", "o1")
                .strictTask("o1")
                .edge("o1", "i1")
                .scope(
                        "inner",
                        "outer",
                        dev.flowstone.kernel.program.Scope.Kind.SETTLING,
                        "i1",
                        Optional.of("i1"),
                        Optional.of("i1->o1"))
                .tasks("i1", "i2")
                .edge("i1", "o1")
                .edge("i1", "i2")
                .on(Outcome.FAILURE, "i2", "end")
                .edge("start", "o1"));

        story.start().ok("o1").ok("i1").failForGood("i2");

        assertEquals(
                List.of("inner", "outer"),
                story.all(ScopeClosed.class).stream()
                        .map(closed -> closed.scope().value())
                        .toList());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aTerminatingEndClosesEverythingFirst() {
        Story story = Story.of(Programs.dag()
                .tasks("a", "b", "c")
                .end("stop", Outcome.SUCCESS, true)
                .edge("start", "a")
                .edge("start", "b")
                .edge("b", "c")
                .edge("a", "stop"));

        story.start().ok("a", 1);
        assertEquals(RunStatus.RUNNING, story.status());
        assertEquals(List.of("b"), story.open());
        story.answer("b", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(1), story.output());
    }

    @Test
    void aSkippedTaskInAFlowEndsItsTokenOrIsAnIncident() {
        Story strict = Story.of(Programs.flow().strictTask("a").end("e").chain("start", "a", "e"))
                .start()
                .answer("a", new TaskAnswer.Skipped("nothing"));
        assertEquals(
                "NO_EDGE_TAKEN", strict.all(IncidentRaised.class).getFirst().code());

        Story dag = Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"))
                .start()
                .answer("a", new TaskAnswer.Skipped("nothing"));
        assertEquals(RunStatus.SUCCEEDED, dag.status());
        assertEquals(JsonNull.NULL, dag.output());
        assertEquals(List.of(), dag.all(TokenDiscarded.class));
    }
}
