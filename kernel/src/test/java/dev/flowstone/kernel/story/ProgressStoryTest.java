package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.decide;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.read.Progress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** enterprise.md §7.1: how far a run has come. */
final class ProgressStoryTest {
    private static JsonObject milestones(Object... nameAndWeight) {
        JsonObject.Builder all = JsonObject.builder();
        for (int i = 0; i < nameAndWeight.length; i += 2) {
            String node = (String) nameAndWeight[i];
            all.put(
                    node,
                    JsonObject.builder()
                            .put("name", "M " + node)
                            .put("weight", (Integer) nameAndWeight[i + 1])
                            .build());
        }
        return JsonObject.builder().put("milestones", all.build()).build();
    }

    private static Progress of(Story story) {
        return Progress.of(story.program(), story.state());
    }

    private static List<String> reached(Story story) {
        return of(story).milestones().stream()
                .filter(Progress.Milestone::reached)
                .map(Progress.Milestone::name)
                .toList();
    }

    @Test
    void percentIsTheWeightReachedOutOfWhatIsReachable() {
        Story story = Story.of(Programs.dag()
                .tasks("a", "b", "c")
                .chain("start", "a", "b", "c")
                .metadata(milestones("a", 1, "b", 2, "c", 1)));
        assertEquals(0, of(story).percent());
        story.start();
        assertEquals(0, of(story).percent());
        story.ok("a");
        assertEquals(25, of(story).percent());
        assertEquals(List.of("M a"), reached(story));
        story.ok("b");
        assertEquals(75, of(story).percent());
        story.ok("c");
        assertEquals(100, of(story).percent());
        assertEquals(new Progress(100, of(story).milestones(), 4, 0), of(story));
    }

    @Test
    void withoutMilestonesEveryNodeThatIsWaitedForIsOne() {
        Story story = Story.of(
                        Programs.dag().tasks("a", "b", "c").timer("t", "PT1H").chain("start", "a", "b", "c", "t"))
                .start()
                .ok("a");

        assertEquals(25, of(story).percent());
    }

    @Test
    void aWayThatWasNotTakenCountsNoMore() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .edge("start", "a")
                        .edge("a", "b")
                        .edge("a", "c", "false")
                        .metadata(milestones("a", 1, "b", 1, "c", 8)))
                .start();
        assertEquals(0, of(story).percent());
        story.ok("a");
        assertEquals(50, of(story).percent());
    }

    @Test
    void parallelBranchesCountByTheirWeight() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b")
                        .edge("start", "a")
                        .edge("start", "b")
                        .metadata(milestones("a", 3, "b", 1)))
                .start()
                .ok("a");

        assertEquals(75, of(story).percent());
    }

    @Test
    void aLoopTakesNothingAwayAndIsCountedAsRework() {
        Story story = Story.of(Programs.flow()
                        .task("draft")
                        .node(Asks.of("ask", "ann"))
                        .task("ship")
                        .end("end")
                        .edge("start", "draft")
                        .edge("draft", "ask")
                        .on(APPROVED, "ask", "ship")
                        .on(REJECTED, "ask", "draft")
                        .edge("ship", "end")
                        .metadata(milestones("draft", 1, "ask", 1, "ship", 2)))
                .start()
                .ok("draft");
        assertEquals(25, of(story).percent());
        story.by("ann").accepted(decide("ask#1", REJECTED));
        assertEquals(50, of(story).percent());
        story.ok("draft");
        assertEquals(50, of(story).percent());
        assertEquals(1 + 2 + 2, of(story).effort());
        assertEquals(2, of(story).rework());
    }

    @Test
    void aFailedRunIsMeasuredAgainstAllMilestones() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .chain("start", "a", "b", "c")
                        .metadata(milestones("a", 1, "b", 1, "c", 2)))
                .start()
                .ok("a")
                .failForGood("b");

        assertEquals(25, of(story).percent());
    }

    @Test
    void whatIsMalformedIsNoMilestone() {
        JsonObject wrong = JsonObject.builder()
                .put(
                        "milestones",
                        JsonObject.builder()
                                .put("a", JsonObject.builder().put("weight", -1).build())
                                .put("b", 7)
                                .put("c", JsonObject.EMPTY)
                                .put("nowhere", JsonObject.EMPTY)
                                .build())
                .build();
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .chain("start", "a", "b", "c")
                        .metadata(wrong))
                .start();

        assertEquals(
                List.of("c"),
                of(story).milestones().stream().map(Progress.Milestone::name).toList());
    }

    /** As the states dialect writes them: a list, of which one node may have several. */
    @Test
    void milestonesMayBeAListWithTheirNodes() {
        JsonObject listed = JsonObject.builder()
                .put(
                        "milestones",
                        new JsonArray(List.of(
                                listed("c", "last", 40),
                                listed("a", "first", 50),
                                listed("a", "also", 10),
                                listed("nowhere", "lost", 900),
                                JsonNumber.of(7))))
                .build();
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .chain("start", "a", "b", "c")
                        .metadata(listed))
                .start();
        assertEquals(0, of(story).percent());
        story.ok("a");

        assertEquals(60, of(story).percent());
        assertEquals(List.of("first", "also"), reached(story));
        assertEquals(3, of(story).milestones().size());
        story.ok("b");
        assertEquals(60, of(story).percent(), "no milestone is there");
    }

    private static JsonObject listed(String node, String id, int weight) {
        return JsonObject.builder()
                .put("node", node)
                .put("id", id)
                .put("weight", weight)
                .build();
    }

    @Test
    void aSlotThatMayBeEnteredAgainIsStillAhead() {
        Story story = Story.of(Programs.flow()
                        .strictTask("next")
                        .end("end")
                        .settlingScope("slot", "in", "out", "next")
                        .tasks("in", "out")
                        .edge("in", "out")
                        .edge("out", "next")
                        .edge("start", "in")
                        .edge("next", "end")
                        .on(Outcome.FAILURE, "next", "in")
                        .metadata(milestones("in", 1, "out", 1, "next", 2)))
                .start()
                .ok("in")
                .ok("out");
        assertEquals(50, of(story).percent());
        story.failForGood("next");
        assertEquals(50, of(story).percent());
    }
}
