package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forks and joins: R6, R7, R10. */
final class ForkTest {
    private static Programs two() {
        return Programs.flow()
                .fork("fork", "join", "left", "right")
                .join("join")
                .strictTask("next")
                .end("end")
                .edge("start", "fork")
                .chain("join", "next", "end")
                .branch("left", "fork", "l")
                .strictTask("l")
                .edge("l", "join")
                .branch("right", "fork", "r")
                .strictTask("r")
                .edge("r", "join");
    }

    @Test
    void branchesRunAtOnceAndTheJoinWaitsForAll() {
        assertEquals(List.of(), ProgramCheck.faults(two().build()));
        Story story = Story.of(two()).start();
        assertEquals(List.of("l", "r"), story.open());
        story.ok("r", 2).restored();
        assertEquals(List.of("l"), story.open());
        story.ok("l", 1);

        assertEquals(List.of("next"), story.open());
        assertEquals(
                "[{\"branch\":\"left\",\"outcome\":\"success\",\"output\":1},"
                        + "{\"branch\":\"right\",\"outcome\":\"success\",\"output\":2}]",
                result(story, "join"));
        story.ok("next", 3);
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(1, story.all(JoinFired.class).size());
        assertEquals(List.of(), story.all(RunFailed.class));
    }

    /** What expressions see of a node, as canonical text. */
    static String result(Story story, String node) {
        for (JsonCursor one :
                JsonCursor.of(story.state().toJson()).member("nodes").items()) {
            if (one.string("node").equals(node)) {
                return CanonicalJson.exactText(
                        one.member("result").member("inline").value());
            }
        }
        throw new AssertionError("no node " + node + "\n" + story.tale());
    }

    /** cases.md 1: whichever way the choice goes, the join fires once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChoiceInOneBranchWithBothWaysToTheJoinFiresItOnce(boolean first) {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "left", "right")
                        .join("join")
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "end")
                        .branch("left", "fork", "pick")
                        .choice("pick")
                        .strictTask("x")
                        .strictTask("y")
                        .edge("pick", "x", "trigger.x")
                        .otherwise(Outcome.SUCCESS, "pick", "y")
                        .edge("x", "join")
                        .edge("y", "join")
                        .branch("right", "fork", "r")
                        .strictTask("r")
                        .edge("r", "join"))
                .start(Map.of(
                        "trigger",
                        Payload.of(JsonObject.builder().put("x", first).build())));

        story.ok(first ? "x" : "y").restored().ok("r");

        assertEquals(1, story.all(JoinFired.class).size());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** cases.md 2: in a settling branch a merge waits for every parent, and runs. */
    @Test
    void aSkippedArmNeitherSkipsNorHurriesAMerge() {
        Story story = Story.of(Programs.dag()
                        .fork("fork", "join", "branch")
                        .join("join")
                        .edge("start", "fork")
                        .settlingBranch("branch", "fork", "a")
                        .tasks("a", "b", "c", "merge")
                        .edge("a", "b", "false")
                        .edge("a", "c")
                        .edge("b", "merge")
                        .edge("c", "merge")
                        .edge("merge", "join"))
                .start()
                .ok("a");

        assertEquals(List.of("c"), story.open());
        story.ok("c");
        assertEquals(List.of("merge"), story.open());
        story.ok("merge", 4);
        assertEquals("[{\"branch\":\"branch\",\"outcome\":\"success\",\"output\":4}]", result(story, "join"));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** cases.md 6: forks in loops in branches; ids unique, counters apart, the join fires once each time. */
    @Test
    void aForkInALoopInABranchIsANewOneEachTime() {
        Story story = Story.of(Programs.flow()
                        .fork("outer", "all", "one")
                        .join("all")
                        .end("end")
                        .edge("start", "outer")
                        .edge("all", "end")
                        .branch("one", "outer", "inner")
                        .fork("inner", "both", "a", "b")
                        .join("both")
                        .strictTask("check")
                        .edge("both", "check")
                        .edge("check", "all", "context.data.check")
                        .otherwise(Outcome.SUCCESS, "check", "inner")
                        .branch("a", "inner", "ta")
                        .strictTask("ta")
                        .edge("ta", "both")
                        .branch("b", "inner", "tb")
                        .strictTask("tb")
                        .edge("tb", "both"))
                .start();
        for (int round = 1; round <= 3; round++) {
            assertEquals("ta#" + round, story.id("ta").toString());
            story.ok("ta", round).ok("tb", round).restored().ok("check", JsonBoolean.of(round == 3));
        }

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(
                List.of("inner#1", "inner#2", "inner#3", "outer#1"),
                story.all(JoinFired.class).stream()
                        .map(fired -> fired.fork().toString())
                        .toList());
    }

    /** R10: what the edge declares, else the last activation's; a branch that dies counts with what it had. */
    @Test
    void aBranchArrivesAsWhatItsEdgeDeclares() {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "left", "right", "dead")
                        .join("join")
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "end")
                        .branch("left", "fork", "l")
                        .strictTask("l")
                        .arriving(Outcome.FAILURE, "l", "join", new Outcome("rejected"))
                        .branch("right", "fork", "r")
                        .strictTask("r")
                        .on(Outcome.ALWAYS, "r", "join")
                        .branch("dead", "fork", "d")
                        .strictTask("d")
                        .end("over", new Outcome("given-up"), false)
                        .edge("d", "over"))
                .start()
                .failForGood("l")
                .answer("r", new TaskAnswer.TimedOut())
                .ok("d", 7);

        String results = result(story, "join");
        assertTrue(results.contains("{\"branch\":\"left\",\"outcome\":\"rejected\""), results);
        assertTrue(results.contains("{\"branch\":\"right\",\"outcome\":\"timeout\""), results);
        assertTrue(results.endsWith("{\"branch\":\"dead\",\"outcome\":\"given-up\",\"output\":7}]"), results);
        assertEquals(2, story.all(JoinFired.class).getFirst().arrived());
        assertEquals(3, story.all(JoinFired.class).getFirst().ended());
    }

    /** The fault simulator found a run that never ended: it waited for attempts whose answers it refused. */
    @Test
    void aLosersAttemptIsWaitedForAndHeardHoweverOftenItsNodeIsVisitedMeanwhile() {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "a", "b")
                        .join("join", new JoinPolicy.Count(1, Set.of()), Losers.CANCEL)
                        .timer("wait", "PT1S")
                        .edge("start", "fork")
                        .edge("join", "wait")
                        .edge("wait", "fork")
                        .branch("a", "fork", "slow")
                        .task("slow")
                        .edge("slow", "join")
                        .branch("b", "fork", "quick")
                        .choice("quick")
                        .edge("quick", "join"))
                .start();
        int rounds = 300;
        for (int round = 1; round < rounds; round++) {
            story.fire("wait#" + round, 1);
        }
        story.accepted(new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty()));

        TaskAnswer made = new TaskAnswer.Ok(
                Payload.of(JsonNull.NULL), List.of(new ResourceLink("Order", "4711", Payload.of(JsonNull.NULL))));
        story.accepted(new Command.CompleteTask(ActivationId.parse("slow#1"), 1, made, Optional.of(9L)));
        assertEquals(List.of("SubjectChanged", "EffectObserved", "ResourceClaimed"), story.lastKinds());
        for (int round = 2; round <= rounds; round++) {
            story.answer("slow#" + round, Story.failed(FailureClass.PERMANENT));
        }

        assertEquals(RunStatus.CANCELED, story.status());
    }
}
