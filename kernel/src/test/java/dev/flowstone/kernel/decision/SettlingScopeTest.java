package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.ActivationSkipped;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DAGs: R6, R7, and what dataflow.md §4.3 promises of them. */
final class SettlingScopeTest {
    @Test
    void aSequenceRunsStepByStepAndReturnsItsLastOutput() {
        Story story = Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"));

        story.start();
        assertEquals(
                List.of("RunStarted", "ActivationOpened", "Transitioned", "ActivationOpened", "TaskScheduled"),
                story.lastKinds());
        story.ok("a", 1);
        assertEquals(List.of("TaskCompleted", "Transitioned", "ActivationOpened", "TaskScheduled"), story.lastKinds());
        story.ok("b", 2);
        assertEquals(List.of("TaskCompleted", "Transitioned", "RunCompleted"), story.lastKinds());

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(2), story.output());
    }

    /** dataflow.md §15.3; cases.md 1 and 2. */
    @Test
    void fanOutFanInJoinsOnceAlthoughOneArmIsSkipped() {
        Story story = Story.of(Programs.dag()
                .tasks("A", "B", "C", "D")
                .edge("start", "A")
                .edge("A", "B", "true")
                .edge("A", "C", "false")
                .edge("B", "D")
                .edge("C", "D"));

        story.start().ok("A");
        assertEquals(List.of("B"), story.open());
        story.ok("B");
        assertEquals(List.of("D"), story.open());
        story.ok("D", 4);

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(4), story.output());
        assertEquals(1, story.all(ActivationSkipped.class).size());
        assertEquals(
                1,
                story.all(ActivationOpened.class).stream()
                        .filter(opened -> opened.activation().node().value().equals("D"))
                        .count());
    }

    /** cases.md 1 */
    @Test
    void aJoinBehindAnExclusiveChoiceRunsOnceWhicheverWayIsTaken() {
        for (String choice : List.of("B", "C")) {
            Story story = Story.of(Programs.dag()
                    .tasks("A", "B", "C", "J")
                    .edge("start", "A")
                    .edge("A", "B", "context.data.A=\"B\"")
                    .edge("A", "C", "context.data.A=\"C\"")
                    .edge("B", "J")
                    .edge("C", "J"));

            story.start()
                    .ok("A", new dev.flowstone.kernel.json.JsonString(choice))
                    .ok(choice);

            assertEquals(List.of("J"), story.open());
            story.ok("J");
            assertEquals(RunStatus.SUCCEEDED, story.status());
        }
    }

    @Test
    void aMergeWaitsForItsSlowestParent() {
        Story story = Story.of(Programs.dag()
                .tasks("a", "b", "c", "join")
                .edge("start", "a")
                .edge("start", "b")
                .edge("start", "c")
                .edge("a", "join")
                .edge("b", "join")
                .edge("c", "join"));

        story.start().ok("c").ok("a");
        assertEquals(List.of("b"), story.open());
        story.ok("b");

        assertEquals(List.of("join"), story.open());
        ActivationOpened join = (ActivationOpened) story.last().get(2);
        assertEquals("[a->join, b->join, c->join]", join.via().toString());
    }

    /** A skip runs down its whole branch, and a node with another living parent survives it. */
    @Test
    void skippingSpreadsUntilALivingParentHoldsIt() {
        Story story = Story.of(Programs.dag()
                .tasks("a", "x", "y", "z", "end")
                .edge("start", "a")
                .edge("a", "x", "false")
                .chain("x", "y", "z", "end")
                .edge("a", "end"));

        story.start().ok("a");

        assertEquals(List.of("end"), story.open());
        assertEquals(3, story.all(ActivationSkipped.class).size());
    }

    @Test
    void severalTerminalsGiveAMapByNode() {
        Story story = Story.of(Programs.dag()
                .tasks("a", "b", "c")
                .edge("start", "a")
                .edge("a", "b")
                .edge("a", "c"));

        story.start().ok("a").ok("c", 3).ok("b", 2);

        assertEquals(JsonObject.builder().put("b", 2).put("c", 3).build(), story.output());
    }

    /** A path may end where no condition held: that node is terminal. */
    @Test
    void aNodeWithoutATakenEdgeIsTerminal() {
        Story story = Story.of(Programs.dag().tasks("a", "b").edge("start", "a").edge("a", "b", "false"));

        story.start().ok("a", 1);

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(JsonNumber.of(1), story.output());
    }

    /** R3: an error in a condition counts as false and is recorded. */
    @Test
    void anErrorInAConditionIsFalseAndRecorded() {
        Story story = Story.of(Programs.dag().tasks("a", "b").edge("start", "a").edge("a", "b", "boom"));

        story.start().ok("a", 1);

        Transitioned routed = story.all(Transitioned.class).getLast();
        assertEquals(
                "b#1",
                story.all(ActivationSkipped.class).getFirst().activation().toString());
        assertTrue(story.all(Transitioned.class).stream()
                .flatMap(transitioned -> transitioned.conditions().stream())
                .anyMatch(condition -> condition.error().isPresent() && !condition.result()));
        assertEquals(Outcome.SUCCESS, routed.outcome());
    }

    /** R8: the values that a condition read stand in the event. */
    @Test
    void conditionsRecordWhatTheyRead() {
        Story story = Story.of(Programs.dag().tasks("a", "b").edge("start", "a").edge("a", "b", "context.data.a=1"));

        story.start().ok("a", 1);

        Transitioned routed = story.all(Transitioned.class).getLast();
        assertEquals("[a->b]", routed.taken().toString());
        assertEquals(
                JsonObject.builder().put("context.data.a", 1).build(),
                routed.conditions().getFirst().read());
    }
}
