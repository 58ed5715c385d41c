package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Migration;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R10 and R24 together: what branches have done is undone in the order in which it was done, as they saw it. */
final class ControlForkTest {
    private static final Command CANCEL =
            new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty());

    private static final JsonObject SEEN = JsonObject.builder()
            .put("item", "{{item}}")
            .put("first", "{{context.data.first}}")
            .build();

    private static Programs each(Scope.FailurePolicy onFailure) {
        return Programs.flow()
                .forEach("each", "join", "{{trigger.items}}", "one", 10)
                .join("join")
                .undoable("last")
                .end("end")
                .chain("start", "each")
                .on(Outcome.ALWAYS, "join", "last")
                .chain("last", "end")
                .branch("one", "each", "first", Scope.Kind.FLOW, onFailure)
                .undoable("first", Retry.NONE, SEEN)
                .strictTask("second")
                .chain("first", "second", "join");
    }

    /** Two effects, then a branch with one more whose next task is there to fail. */
    static Programs around(Scope.FailurePolicy root, Scope.FailurePolicy branch) {
        return Programs.flow()
                .onFailure(root)
                .undoable("a")
                .undoable("b")
                .fork("fork", "join", "one")
                .join("join")
                .end("end")
                .chain("start", "a", "b", "fork")
                .on(Outcome.ALWAYS, "join", "end")
                .branch("one", "fork", "c", Scope.Kind.FLOW, branch)
                .undoable("c")
                .strictTask("d")
                .chain("c", "d", "join");
    }

    private static Map<String, Payload> two() {
        List<JsonValue> items = List.of(new JsonString("x"), new JsonString("y"));
        return Map.of(
                "trigger",
                Payload.of(
                        JsonObject.builder().put("items", new JsonArray(items)).build()));
    }

    private static JsonValue input(Story story, String activation) {
        Attempt attempt = story.state().openAttempt(story.id(activation)).orElseThrow();
        return ((Payload.Inline) attempt.input()).value();
    }

    private static JsonValue seen(String item, long first) {
        return JsonObject.builder()
                .put("item", item)
                .put("first", JsonNumber.of(first))
                .build();
    }

    /** Branches are closed long before; what undoes their work still sees their elements and results. */
    @Test
    void whatUndoesABranchsWorkSeesWhatTheBranchSaw() {
        Story canceled = Story.of(each(Scope.FailurePolicy.FAIL)).start(two());
        canceled.ok("first#1", 1).ok("first#2", 2).ok("second#1").ok("second#2");
        canceled.accepted(CANCEL).answer("last#1", new TaskAnswer.TimedOut());
        canceled.restored();
        assertEquals(seen("y", 2), input(canceled, "first#-2"));
        canceled.ok("first#-2");
        assertEquals(seen("x", 1), input(canceled, "first#-1"));
        canceled.ok("first#-1");
        assertEquals(RunStatus.CANCELED, canceled.status());
    }

    @Test
    void losersAreUndoneWhileTheRunGoesOn() {
        Programs program = Programs.flow()
                .fork("fork", "join", "a", "b")
                .join("join", new JoinPolicy.Count(1, Set.of()), Losers.COMPENSATE)
                .strictTask("after")
                .end("end")
                .edge("start", "fork")
                .edge("join", "after")
                .on(Outcome.UNSATISFIED, "join", "end")
                .edge("after", "end");
        for (String name : List.of("a", "b")) {
            program.branch(name, "fork", "t" + name)
                    .undoable("t" + name)
                    .strictTask("u" + name)
                    .chain("t" + name, "u" + name, "join");
        }
        Story story = Story.of(program).start().ok("ta", 1).ok("tb", 2).ok("ub");

        assertEquals(1, story.all(ForkEvent.BranchCanceled.class).size());
        assertTrue(story.open().containsAll(List.of("ta", "after")), story.tale());
        story.restored().ok("after");
        assertEquals(RunStatus.RUNNING, story.status(), "it is still being undone");
        story.ok("ta#-1");
        // The loser's last attempt was still out.
        story.answer("ua#1", new TaskAnswer.TimedOut());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(1, story.all(CompensationEvent.CompensationApplied.class).size());
    }

    /** A failure that nobody handles in a branch is the run's: what a root that compensates had done is undone behind it. */
    @ParameterizedTest
    @EnumSource(names = {"FAIL", "COMPENSATE"})
    void aRootThatCompensatesUndoesWhatWasDoneAroundTheFailedBranchToo(Scope.FailurePolicy branch) {
        Story story = Story.of(around(Scope.FailurePolicy.COMPENSATE, branch)).start();
        story.ok("a", 1).ok("b", 2).ok("c", 3).failForGood("d").restored();

        assertEquals(
                List.of(new CompensationEvent.CompensationDue(0)), story.all(CompensationEvent.CompensationDue.class));
        for (String next : List.of("c", "b", "a")) {
            assertEquals(List.of(next), story.open(), "the newest, alone");
            assertEquals(RunStatus.COMPENSATING, story.status());
            story.ok(next + "#-1");
        }
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** The innermost scope around it that compensates is not the last word, and a root that only fails adds nothing. */
    @Test
    void theOutermostScopeThatCompensatesSaysHowFarIsUndone() {
        Programs program = Programs.flow()
                .undoable("outside")
                .fork("fork", "join", "one")
                .join("join")
                .end("end")
                .chain("start", "outside", "fork")
                .on(Outcome.ALWAYS, "join", "end")
                .branch("one", "fork", "a", Scope.Kind.FLOW, Scope.FailurePolicy.COMPENSATE)
                .undoable("a")
                .fork("deeper", "met", "two")
                .join("met")
                .chain("a", "deeper")
                .on(Outcome.ALWAYS, "met", "join")
                .branch("two", "deeper", "b", Scope.Kind.FLOW, Scope.FailurePolicy.FAIL)
                .undoable("b")
                .strictTask("c")
                .chain("b", "c", "met");
        Story story = Story.of(program).start().ok("outside").ok("a").ok("b").failForGood("c");

        assertEquals(List.of("b"), story.open());
        story.ok("b#-1");
        assertEquals(List.of("a"), story.open());
        story.ok("a#-1");
        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(2, story.all(CompensationEvent.CompensationApplied.class).size());
    }

    /** {@code COMPENSATE} of a branch undoes that branch only if nothing around it compensates, and the run fails. */
    @Test
    void aBranchThatFailsUndoesItselfOnly() {
        Story story = Story.of(each(Scope.FailurePolicy.COMPENSATE)).start(two());
        story.ok("first#1", 1).ok("first#2", 2).failForGood("second#2");
        story.answer("second#1", new TaskAnswer.TimedOut());
        assertEquals(seen("y", 2), input(story, "first#-2"));
        story.ok("first#-2");
        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(1, story.all(CompensationEvent.CompensationApplied.class).size());
    }

    @Test
    void aParkedBranchGoesOnWithWhatAPersonSays() {
        Story story = Story.of(each(Scope.FailurePolicy.PARK)).start(two());
        story.failForGood("first#1").failForGood("first#2").restored();
        long one = story.state().incidents().get(0).sequence();
        long other = story.state().incidents().get(1).sequence();

        story.accepted(new ControlCommand.SkipIncident(one, Payload.of(JsonNumber.of(7))));
        story.accepted(new ControlCommand.RetryIncident(other, Optional.empty()))
                .restored();
        assertEquals(List.of("first", "second"), story.open());
        story.ok("first#2", 8).ok("second#1").ok("second#2").ok("last");

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(2, story.all(ForkEvent.BranchEnded.class).size());
    }

    @Test
    void aRunGoesBackToAForkAndUndoesItsBranchesFirst() {
        Story story = Story.of(each(Scope.FailurePolicy.FAIL)).start(two());
        story.ok("first#1", 1).ok("first#2", 2).ok("second#1").ok("second#2");
        story.rejected(RejectionCode.INVALID_STATE, new ControlCommand.RollBack(new NodeId("join"), "again"));

        story.accepted(new ControlCommand.RollBack(new NodeId("each"), "again"));
        story.answer("last#1", new TaskAnswer.TimedOut());
        story.ok("first#-2").ok("first#-1");

        assertEquals(RunStatus.RUNNING, story.status());
        story.ok("first#3", 1).ok("first#4", 2).ok("second#3").ok("second#4").ok("last");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void anOpenForkMovesIfItsRulesStayTheSame() {
        Programs renamed = Programs.flow()
                .forEach("every", "join", "{{trigger.items}}", "one", 10)
                .join("join")
                .undoable("last")
                .end("end")
                .chain("start", "every")
                .on(Outcome.ALWAYS, "join", "last")
                .chain("last", "end")
                .branch("one", "every", "first")
                .undoable("first", Retry.NONE, SEEN)
                .strictTask("second")
                .chain("first", "second", "join");
        Story story = Story.of(each(Scope.FailurePolicy.FAIL)).start(two()).ok("first#1", 1);
        Map<NodeId, NodeId> names = Map.of(new NodeId("each"), new NodeId("every"));
        assertTrue(Migration.preview(story.state(), renamed.build(), names).obstacles().stream()
                .anyMatch(obstacle -> obstacle.startsWith("each#1 lives and is known by its name")));

        Programs narrower = each(Scope.FailurePolicy.COMPENSATE).metadata(SEEN);
        var to = story.knowing(narrower.build());
        assertEquals(ProgramCodec.hash(narrower.build()), to);
        story.accepted(new ControlCommand.MigrateRun(to, 4, Map.of())).restored();
        story.ok("first#2", 2).ok("second#1").ok("second#2").ok("last");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** A late success of a branch that is just being closed, piece by piece, is undone all the same. */
    @Test
    void whatIsBeingUndoneIsNotDroppedWithItsBranch() {
        Programs program = Programs.flow()
                .fork("fork", "join", "a", "b")
                .join("join", new JoinPolicy.Count(1, Set.of()), Losers.CANCEL)
                .strictTask("after")
                .end("end")
                .edge("start", "fork")
                .edge("join", "after")
                .on(Outcome.UNSATISFIED, "join", "end")
                .edge("after", "end");
        program.branch("a", "fork", "fa")
                .task("fa", Retry.NONE, JsonObject.EMPTY, false, Routing.ALL)
                .undoable("ta")
                .strictTask("za")
                .edge("fa", "ta")
                .edge("fa", "za")
                .edge("ta", "join")
                .edge("za", "join");
        program.branch("b", "fork", "tb").undoable("tb").edge("tb", "join");
        Story story = Story.of(program)
                .with(new Bounds(1, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn()
                .ok("fa")
                .goOn()
                .ok("tb", 2);
        while (story.all(EventBody.ActivationCanceled.class).isEmpty()) {
            story.accepted(new Command.ContinueRun());
        }
        assertEquals(List.of(), story.all(ForkEvent.BranchCanceled.class));

        story.answer("ta#1", new TaskAnswer.Ok(Payload.of(JsonNumber.of(5))))
                .restored()
                .goOn();

        assertEquals(1, story.all(ForkEvent.BranchCanceled.class).size());
        assertEquals(JsonNumber.of(5), input(story, "ta#-1"));
        story.answer("za#1", new TaskAnswer.TimedOut()).goOn();
        story.ok("after").goOn().ok("ta#-1").goOn();
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }
}
