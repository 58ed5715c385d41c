package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** dataflow.md §5.1, §8.4: to read what was left out of a run's data is an error, and whoever wants to know may ask. */
final class ContextOmittedTest {
    private static final String MARK = "{\"$omitted\":{\"bytes\":5000}}";
    private static final JsonValue LOOKS_LIKE_A_MARK = JsonObject.builder()
            .put("$omitted", JsonObject.builder().put("bytes", 5_000).build())
            .build();

    /** A text of so many bytes as JSON. */
    private static JsonValue text(int bytes) {
        return new JsonString("x".repeat(bytes - 2));
    }

    private static JsonValue reading(String path) {
        return JsonObject.builder().put("it", "{{" + path + "}}").build();
    }

    private static Programs reader(String path) {
        return Programs.dag()
                .tasks("a", "b")
                .task("reader", Retry.NONE, reading(path), true, Routing.ALL)
                .chain("start", "a", "b", "reader");
    }

    private static Map<NodeId, Long> omitted(Story story) {
        return story.state().omitted();
    }

    @Test
    void aConditionThatReadsItIsFalseWithTheError() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "whole", "mark", "asked")
                        .edge("start", "a")
                        .edge("a", "whole", "context.data.a.blocked=false")
                        .edge("a", "mark", "context.data.a=" + MARK)
                        .edge("a", "asked", "context.omitted.a=5000")
                        .context(Overflow.DROP_OVERSIZE, 1_000))
                .start()
                .ok("a", text(5_000));

        assertEquals(List.of("asked"), story.open());
        List<EvaluatedCondition> conditions = story.all(Transitioned.class).stream()
                .flatMap(it -> it.conditions().stream())
                .filter(it -> it.expression().startsWith("context.data"))
                .toList();
        assertEquals(2, conditions.size());
        for (EvaluatedCondition condition : conditions) {
            ExpressionError error = condition.error().orElseThrow();
            assertEquals("CONTEXT_OMITTED", error.code());
            assertTrue(
                    error.message()
                            .startsWith(
                                    "The output of 'a' (5000 bytes) was left out of the run's data by DropOversize;"),
                    error::message);
            assertEquals(false, condition.result());
        }
    }

    @Test
    void aTemplateThatReadsItFailsItsNode() {
        Story story = Story.of(reader("context.data.a").context(Overflow.AUTO_PRUNE_OLDEST, 1_000))
                .start(Map.of("trigger", Payload.of(text(100))))
                .ok("a", text(500))
                .ok("b", text(600));

        TaskFailed failed = story.all(TaskFailed.class).getFirst();
        assertEquals("TEMPLATE_ERROR", failed.error().code());
        assertEquals(
                Optional.of(new JsonString("CONTEXT_OMITTED")),
                failed.error().details().find("code"));
        assertTrue(
                failed.error()
                        .message()
                        .startsWith("The output of 'a' (500 bytes) was left out of the run's data by AutoPruneOldest;"),
                failed::toString);
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void aSnapshotKnowsWhatWasLeftOut() {
        Story story = Story.of(reader("context.data.a").context(Overflow.DROP_OVERSIZE, 1_000))
                .start()
                .ok("a", text(5_000))
                .restored()
                .ok("b", text(10));

        assertEquals(Map.of(new NodeId("a"), 5_000L), omitted(story));
        assertEquals(
                Optional.of(new JsonString("CONTEXT_OMITTED")),
                story.all(TaskFailed.class).getFirst().error().details().find("code"));
    }

    /** Whoever gives a value of that form has given a value. */
    @Test
    void whatLooksLikeAMarkIsData() {
        for (Overflow overflow : Overflow.values()) {
            Story story = Story.of(Programs.dag()
                            .tasks("a", "b", "data", "asked")
                            .chain("start", "a", "b")
                            .edge("b", "data", "context.data.a=" + MARK)
                            .edge("b", "asked", "context.omitted.a=5000")
                            .context(overflow, 1_000))
                    .start()
                    .ok("a", LOOKS_LIKE_A_MARK)
                    .restored()
                    .ok("b", text(10));

            assertEquals(List.of("data"), story.open());
            assertEquals(Map.of(), omitted(story));
        }
    }

    /** Another visit has another result. */
    @Test
    void aResultThatComesAgainIsReadAgain() {
        Story story = Story.of(Programs.flow()
                        .tasks("a", "b", "c")
                        .chain("start", "a", "b", "a")
                        .edge("a", "c", Outcome.SUCCESS, Optional.of("context.data.a=\"xx\""), false, -1)
                        .context(Overflow.DROP_OVERSIZE, 1_000))
                .start()
                .ok("a", text(5_000));
        assertEquals(Map.of(new NodeId("a"), 5_000L), omitted(story));

        story.ok("b", text(10)).ok("a", text(4));

        assertEquals(Map.of(), omitted(story));
        assertEquals(List.of("c"), story.open());
    }

    /** What programs without a rule read is what they ever did. */
    @Test
    void onlyWhereSomethingMayBeLeftOutCanItBeAskedFor() {
        for (Overflow overflow : Overflow.values()) {
            Story story = Story.of(Programs.dag()
                            .tasks("a", "there")
                            .edge("start", "a")
                            .edge("a", "there", "context.omitted={}")
                            .context(overflow, 1_000))
                    .start()
                    .ok("a", text(10));

            assertEquals(overflow == Overflow.FAIL ? List.of() : List.of("there"), story.open());
        }
    }
}
