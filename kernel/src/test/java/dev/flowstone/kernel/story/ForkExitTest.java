package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.ActivationSkipped;
import dev.flowstone.kernel.event.ForkEvent.ExitFollowed;
import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways out of branches, and forks as one node of a settling scope: R6, R7, R18. */
final class ForkExitTest {
    /** A DAG: start → each [ t → join | t fails → repair ] → join → after → last, and repair → last. */
    private static Programs dag() {
        return Programs.dag()
                .forEach("each", "join", "{{trigger.items}}", "one", 5)
                .join("join")
                .tasks("after", "repair", "last")
                .edge("start", "each")
                .edge("join", "after")
                .edge("after", "last")
                .edge("repair", "last")
                .branch("one", "each", "t")
                .strictTask("t")
                .edge("t", "join")
                .on(Outcome.FAILURE, "t", "repair");
    }

    private static Map<String, Payload> three() {
        return Map.of(
                "trigger",
                Payload.of(JsonObject.builder()
                        .put("items", new JsonArray(List.of(JsonNumber.of(1), JsonNumber.of(2), JsonNumber.of(3))))
                        .build()));
    }

    static List<String> skipped(Story story) {
        return story.all(ActivationSkipped.class).stream()
                .map(skipped -> skipped.activation().node().value())
                .toList();
    }

    @Test
    void anExitOutOfAForEachTakesItsEdgeAndAllOthersOfTheForkAreDead() {
        Story story = Story.of(dag()).start(three()).ok("t#1").failForGood("t#2");

        assertEquals(1, story.all(ExitFollowed.class).size());
        assertEquals(List.of(), story.all(JoinFired.class));
        assertEquals(List.of("repair", "t"), story.open());
        assertEquals(List.of("join", "after"), skipped(story));
        story.restored().ok("repair");
        assertTrue(story.open().contains("last"));
        story.ok("last", 1).ok("t#3");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void whenTheJoinFiresTheExitsAreDead() {
        Story story = Story.of(dag()).start(three()).ok("t#1").ok("t#2").ok("t#3");

        assertEquals(List.of("repair"), skipped(story));
        story.ok("after").ok("last", 2);
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aSkippedForkWithExitsHasNothingButDeadEdges() {
        Story story = Story.of(Programs.dag()
                        .tasks("first")
                        .fork("fork", "join", "one")
                        .join("join")
                        .tasks("after", "repair", "other")
                        .edge("start", "first")
                        .edge("first", "fork", "false")
                        .edge("first", "other")
                        .edge("join", "after")
                        .edge("other", "after")
                        .branch("one", "fork", "t")
                        .strictTask("t")
                        .edge("t", "join")
                        .on(Outcome.FAILURE, "t", "repair"))
                .start()
                .ok("first")
                .ok("other");

        assertEquals(List.of("fork", "repair", "join"), skipped(story));
        story.ok("after");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** Both are queued in one decision's list; the first wins, the second is discarded. */
    @Test
    void ofTwoExitsAtOnceTheFirstWins() {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "a", "b")
                        .join("join")
                        .strictTask("x")
                        .strictTask("y")
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "end")
                        .edge("x", "end")
                        .edge("y", "end")
                        .branch("a", "fork", "pa")
                        .timer("pa", "PT0S")
                        .edge("pa", "x")
                        .branch("b", "fork", "pb")
                        .timer("pb", "PT0S")
                        .edge("pb", "y"))
                .start();

        assertEquals(List.of("x"), story.open());
        assertEquals(1, story.all(ExitFollowed.class).size());
        story.ok("x");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** The join fires in the step before the loser's failure edge would be followed. */
    @Test
    void aFailureEdgeOutOfALosingBranchIsDiscarded() {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "a", "b")
                        .join("join", new JoinPolicy.Ended(1), Losers.CANCEL)
                        .strictTask("good")
                        .strictTask("bad")
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "good")
                        .edge("good", "end")
                        .edge("bad", "end")
                        .branch("a", "fork", "ta")
                        .strictTask("ta")
                        .edge("ta", "join")
                        .branch("b", "fork", "tb")
                        .strictTask("tb")
                        .edge("tb", "join")
                        .on(Outcome.FAILURE, "tb", "bad"))
                .with(new Bounds(1, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn();
        story.ok("ta");
        story.failForGood("tb").goOn();

        assertEquals(List.of("good"), story.open());
        assertEquals(1, story.all(JoinFired.class).size());
        assertEquals(List.of(), story.all(ExitFollowed.class));
        story.ok("good").goOn();
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aTerminatingEndInABranchEndsTheRunAndTheJoinNeverFires() {
        Story story = Story.of(Programs.dag()
                        .fork("fork", "join", "a", "b")
                        .join("join")
                        .tasks("after")
                        .edge("start", "fork")
                        .edge("join", "after")
                        .branch("a", "fork", "ta")
                        .strictTask("ta")
                        .end("stop", Outcome.SUCCESS, true)
                        .edge("ta", "stop")
                        .branch("b", "fork", "tb")
                        .strictTask("tb")
                        .edge("tb", "join"))
                .start()
                .ok("ta", 5);

        assertEquals(List.of(), story.all(JoinFired.class));
        story.ok("tb");
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(5), story.output());
        assertEquals(List.of("join", "after"), skipped(story));
    }

    @Test
    void aKeptLoserThatExitsEndsThere() {
        Story story = Story.of(Programs.flow()
                        .fork("fork", "join", "a", "b")
                        .join("join", new JoinPolicy.Count(1, Set.of()), Losers.KEEP)
                        .strictTask("next")
                        .strictTask("out")
                        .end("end")
                        .edge("start", "fork")
                        .edge("join", "next")
                        .edge("next", "end")
                        .edge("out", "end")
                        .branch("a", "fork", "ta")
                        .strictTask("ta")
                        .edge("ta", "join")
                        .branch("b", "fork", "tb")
                        .strictTask("tb")
                        .edge("tb", "out"))
                .start()
                .ok("ta")
                .restored()
                .ok("tb");

        assertEquals(List.of("next"), story.open());
        story.ok("next", 1);
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(1), story.output());
    }

    /** cases.md 8: what interrupts the outer scope ends the inner one too, and canceling still works afterwards. */
    @Test
    void anInterruptOfTheOuterForkEndsTheInnerOneToo() {
        Story story = Story.of(Programs.flow()
                        .fork("outer", "over", "body", "watch")
                        .join("over", new JoinPolicy.Ended(1), Losers.CANCEL)
                        .strictTask("next")
                        .strictTask("amend")
                        .end("end")
                        .edge("start", "outer")
                        .edge("over", "next")
                        .edge("next", "end")
                        .edge("amend", "outer")
                        .branch("watch", "outer", "signal")
                        .strictTask("signal")
                        .edge("signal", "amend")
                        .branch("body", "outer", "inner")
                        .fork("inner", "both", "x", "y")
                        .join("both")
                        .edge("both", "over")
                        .branch("x", "inner", "tx")
                        .strictTask("tx")
                        .edge("tx", "both")
                        .branch("y", "inner", "ty")
                        .strictTask("ty")
                        .edge("ty", "both"))
                .start()
                .ok("tx")
                .ok("signal");

        assertTrue(story.open().contains("amend"));
        story.restored().ok("ty").ok("amend");
        assertEquals(List.of("signal", "tx", "ty"), story.open());
        story.ok("tx#2").ok("ty#2");
        assertTrue(story.open().contains("next"));
        story.ok("next").ok("signal");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** The fault simulator found nodes behind the fork that never settled. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void whereverADeadlineMeetsAnExitEveryNodeOfTheGraphSettles(int pieces) {
        Story story = Story.of(dag().deadline(Duration.ofHours(1)))
                .with(new Bounds(1, 100, 1 << 20, 1 << 15, 5_000_000))
                .start(three())
                .goOn()
                .failForGood("t#2");
        for (int i = 0; i < pieces && story.state().continues(); i++) {
            story.accepted(new Command.ContinueRun());
        }

        story.fire("deadline", 1).goOn();
        for (Attempt open : story.state().openAttempts()) {
            story.ok(open.activation().toString()).goOn();
        }

        assertEquals(RunStatus.FAILED, story.status(), story.tale());
        for (String node : List.of("each", "join", "after", "repair", "last")) {
            assertEquals(1, settlements(story, node), () -> node + "\n" + story.tale());
        }
    }

    private static long settlements(Story story, String node) {
        return story.events().stream()
                .map(Event::body)
                .filter(body -> switch (body) {
                    case ActivationSkipped it -> it.activation().node().value().equals(node);
                    case EventBody.ActivationCanceled it ->
                        it.activation().node().value().equals(node);
                    case EventBody.Transitioned it ->
                        it.activation().node().value().equals(node);
                    default -> false;
                })
                .count();
    }
}
