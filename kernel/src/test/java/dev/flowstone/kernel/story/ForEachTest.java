package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ForkBounds;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.ForkEvent.BranchOpened;
import dev.flowstone.kernel.event.ForkEvent.BranchesDiscarded;
import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One branch for each element of a collection: R4, R10. */
final class ForEachTest {
    private static Programs forEach(int window, JoinPolicy policy) {
        return Programs.flow()
                .forEach("each", "join", "{{trigger.items}}", "one", window)
                .join("join", policy, Node.Join.Losers.CANCEL)
                .task("last", Retry.NONE, new JsonString("{{context.data.join}}"), false, Routing.FIRST)
                .end("end")
                .edge("start", "each")
                .on(Outcome.ALWAYS, "join", "last")
                .edge("last", "end")
                .on(Outcome.FAILURE, "last", "each")
                .branch("one", "each", "first")
                .task("first", Retry.NONE, new JsonString("{{item}}"), false, Routing.FIRST)
                .task(
                        "second",
                        Retry.NONE,
                        JsonObject.builder()
                                .put("mine", "{{context.data.first}}")
                                .put("at", "{{index}}")
                                .build(),
                        false,
                        Routing.FIRST)
                .chain("first", "second", "join");
    }

    private static Map<String, Payload> items(JsonValue items) {
        return Map.of(
                "trigger", Payload.of(JsonObject.builder().put("items", items).build()));
    }

    private static JsonArray numbers(int count) {
        List<JsonValue> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(JsonNumber.of(i));
        }
        return new JsonArray(items);
    }

    /** cases.md 5, also after a retry: the run comes to the fork again. */
    @ParameterizedTest
    @MethodSource("policies")
    void nothingToDoIsDoneAtOnceWhateverThePolicy(JoinPolicy policy) {
        for (JsonValue nothing : List.of(JsonArray.EMPTY, JsonNull.NULL, new JsonString("-"))) {
            boolean missing = nothing instanceof JsonString;
            Story story = Story.of(forEach(3, policy))
                    .start(missing ? Map.of("trigger", Payload.of(JsonObject.EMPTY)) : items(nothing));
            for (int visit = 1; visit <= 2; visit++) {
                assertEquals("last#" + visit, story.id("last").toString());
                assertEquals("[]", ForkTest.result(story, "join"));
                assertEquals(
                        Outcome.SUCCESS, story.all(JoinFired.class).getLast().outcome());
                if (visit == 1) {
                    story.failForGood("last");
                }
            }
            story.restored().ok("last");
            assertEquals(RunStatus.SUCCEEDED, story.status());
        }
    }

    static List<JoinPolicy> policies() {
        return List.of(
                new JoinPolicy.All(),
                new JoinPolicy.Count(3, Set.of()),
                new JoinPolicy.Majority(Set.of()),
                new JoinPolicy.Ended(2));
    }

    /** R4: a window opens before any of its branches advances; the next opens when one ends. */
    @Test
    void branchesOpenInWindows() {
        Story story = Story.of(forEach(2, new JoinPolicy.All())).start(items(numbers(5)));

        assertEquals(2, story.all(BranchOpened.class).size());
        List<String> kinds = story.lastKinds().stream()
                .filter(kind -> !kind.equals("Transitioned"))
                .toList();
        assertEquals(
                List.of("BranchOpened", "BranchOpened", "ActivationOpened"),
                kinds.subList(kinds.indexOf("BranchOpened"), kinds.indexOf("BranchOpened") + 3));
        story.ok("first#2").ok("second");
        assertEquals(3, story.all(BranchOpened.class).size());
        assertEquals(List.of("first", "first"), story.open());
    }

    /** Branches visit the same nodes at once; each sees what its own produced. */
    @Test
    void aBranchSeesItsOwnResultsElementAndPlace() {
        Story story = Story.of(forEach(5, new JoinPolicy.All())).start(items(numbers(3)));
        story.ok("first#3", 30).ok("first#1", 10).restored().ok("first#2", 20);

        assertEquals(
                List.of("{\"at\":2,\"mine\":30}", "{\"at\":0,\"mine\":10}", "{\"at\":1,\"mine\":20}"),
                story.all(TaskScheduled.class).stream()
                        .filter(task -> task.activation().node().value().equals("second"))
                        .map(task -> text(task.input().orElseThrow()))
                        .toList());
        story.ok("second#1", 300).ok("second#3", 200).ok("second#2", 100);
        assertEquals(
                "[{\"branch\":0,\"outcome\":\"success\",\"output\":100},"
                        + "{\"branch\":1,\"outcome\":\"success\",\"output\":200},"
                        + "{\"branch\":2,\"outcome\":\"success\",\"output\":300}]",
                ForkTest.result(story, "join"));
    }

    private static String text(Payload payload) {
        return dev.flowstone.kernel.json.CanonicalJson.exactText(((Payload.Inline) payload).value());
    }

    @Test
    void anInnerElementShadowsTheOuterOne() {
        Story story = Story.of(Programs.flow()
                        .forEach("outer", "all", "{{trigger.items}}", "o", 9)
                        .join("all")
                        .end("end")
                        .edge("start", "outer")
                        .edge("all", "end")
                        .branch("o", "outer", "inner")
                        .forEach("inner", "both", "{{item}}", "i", 9)
                        .join("both")
                        .task("after", Retry.NONE, new JsonString("{{index}}"), false, Routing.FIRST)
                        .chain("both", "after", "all")
                        .branch("i", "inner", "t")
                        .task("t", Retry.NONE, new JsonString("{{item}}"), false, Routing.FIRST)
                        .edge("t", "both"))
                .start(items(new JsonArray(List.of(numbers(1), numbers(2)))));

        assertEquals(
                List.of("0", "0", "1"),
                story.all(TaskScheduled.class).stream()
                        .map(task -> text(task.input().orElseThrow()))
                        .toList());
        story.ok("t#1").ok("t#3").ok("t#2");
        assertEquals(
                List.of("0", "1"),
                story.all(TaskScheduled.class).stream()
                        .filter(task -> task.activation().node().value().equals("after"))
                        .map(task -> text(task.input().orElseThrow()))
                        .toList());
    }

    /** cases.md 4: linear in the items, decisions bounded, one event for all that never opened. */
    @Test
    void tensOfThousandsOfBranchesAreLinearAndBounded() {
        int count = 20_000;
        long half = fanOut(count / 2);
        long whole = fanOut(count);

        assertTrue(whole < 4 * half + 2_000_000_000L, half + " ns, then " + whole);
    }

    private static long fanOut(int count) {
        Bounds bounds = new Bounds(500, 1_000_000, 1 << 20, 1 << 15, 5_000_000);
        Story story = Story.unchecked(forEach(1_000, new JoinPolicy.All()).build(), bounds);
        long began = System.nanoTime();
        story.start(items(numbers(count))).goOn();
        int largest = 0;
        while (story.open().contains("first") || story.open().contains("second")) {
            for (Attempt attempt : story.state().openAttempts()) {
                story.accepted(new Command.CompleteTask(
                        attempt.activation(), attempt.attempt(), new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)))));
                largest = Math.max(largest, story.last().size());
                story.goOn();
            }
        }
        long took = System.nanoTime() - began;
        assertEquals(List.of("last"), story.open());
        assertTrue(largest <= 4 * 500, "a decision of " + largest + " events");
        assertEquals(count, story.all(BranchOpened.class).size());
        return took;
    }

    @Test
    void oneEventCancelsAllThatNeverOpened() {
        Story story = Story.of(forEach(2, new JoinPolicy.Count(1, Set.of()))).start(items(numbers(1_000)));
        story.ok("first#1").ok("second#1");

        BranchesDiscarded discarded = story.all(BranchesDiscarded.class).getFirst();
        assertEquals(1, story.all(BranchesDiscarded.class).size());
        assertEquals(998, discarded.branches());
        assertEquals(2, discarded.from());
        assertEquals(List.of("first", "last"), story.open());
    }

    /** Cancel of thousands of branches takes many bounded decisions; nothing of them gets another turn meanwhile. */
    @Test
    void aLostCrowdIsClosedInBoundedSteps() {
        Bounds bounds = new Bounds(100, 1_000_000, 1 << 20, 1 << 15, 5_000_000);
        Story story = Story.unchecked(
                forEach(10_000, new JoinPolicy.Count(1, Set.of())).build(), bounds);
        story.start(items(numbers(10_000))).goOn();
        story.ok("first#1").goOn().ok("second#1");

        assertTrue(story.last().size() <= 250, "a decision of " + story.last().size() + " events");
        int decisions = 0;
        while (story.state().continues()) {
            story.accepted(new Command.ContinueRun());
            decisions++;
        }
        assertTrue(decisions > 100, "decisions: " + decisions);
        assertEquals(10_000, story.open().size());
        assertTrue(story.open().contains("last"));
    }

    @Test
    void tooManyBranchesFailTheForkVisibly() {
        Story story = Story.of(forEach(2, new JoinPolicy.All()))
                .with(Bounds.DEFAULT.withForks(new ForkBounds(100, 10, 8, 1_000)))
                .start(items(numbers(11)));
        assertEquals(
                "TOO_MANY_BRANCHES",
                story.all(RunFailed.class).getFirst().error().code());
    }

    @Test
    void whatIsNoListFailsTheFork() {
        Story story = Story.of(forEach(2, new JoinPolicy.All())).start(items(JsonNumber.of(3)));
        assertEquals(
                "NO_COLLECTION", story.all(RunFailed.class).getFirst().error().code());
    }

    @Test
    void anOutputThatTheResultHasNoRoomForShowsAsANote() {
        Story story = Story.of(forEach(2, new JoinPolicy.All()))
                .with(Bounds.DEFAULT.withForks(new ForkBounds(100, 10, 8, 40)))
                .start(items(numbers(2)));
        String wide = "x".repeat(100);
        story.ok("first#1").ok("second", 1).ok("first#2").ok("second", new JsonString(wide));

        assertEquals(
                "[{\"branch\":0,\"outcome\":\"success\",\"output\":1},{\"branch\":1,\"outcome\":\"success\","
                        + "\"output\":{\"omitted\":{\"bytes\":102,\"code\":\"LIMIT_EXCEEDED\"}}}]",
                ForkTest.result(story, "join"));
    }
}
