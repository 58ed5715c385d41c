package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Content;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.PathExpressions;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a decision itself makes and no event should hold: set aside by hash, handed out with the events. */
final class LargeValueTest {
    private static final Bounds SMALL = new Bounds(100, 100, 10_000, 1_000, 5_000_000).withPayloadBytes(20_000);

    private static JsonValue text(int chars) {
        return new JsonString("x".repeat(chars));
    }

    private static JsonObject twice() {
        return JsonObject.builder()
                .put("one", "{{trigger}}")
                .put("two", "{{trigger}}")
                .build();
    }

    private static Programs rendering() {
        return Programs.dag().task("a", Retry.NONE, twice(), true, Routing.ALL).edge("start", "a");
    }

    private static Decision.Accepted start(Story story, JsonValue trigger) {
        return assertInstanceOf(
                Decision.Accepted.class, story.decide(story.startCommand(Map.of("trigger", Payload.of(trigger)))));
    }

    @Test
    void aLargeRenderedInputIsSetAside() {
        Story story = Story.of(rendering()).with(SMALL);
        Decision.Accepted accepted = start(story, text(3_000));

        byte[] expected = CanonicalJson.exact(JsonObject.builder()
                .put("one", text(3_000))
                .put("two", text(3_000))
                .build());
        Content aside = accepted.aside().getFirst();
        assertEquals(1, accepted.aside().size());
        assertArrayEquals(expected, aside.bytes());
        Payload stored = new Payload.Stored(Sha256.digest(expected), expected.length);
        assertEquals(stored, story.all(TaskScheduled.class).getFirst().input().orElseThrow());
        assertEquals(stored, story.state().openAttempts().getFirst().input());
        story.ok("a");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aSmallInputStandsInItsEvent() {
        Story story = Story.of(rendering()).with(SMALL);

        assertEquals(List.of(), start(story, text(480)).aside());
        assertInstanceOf(
                Payload.Inline.class,
                story.all(TaskScheduled.class).getFirst().input().orElseThrow());
    }

    /** Whatever is configured: an event holds the value or its hash, never neither. */
    @Test
    void anInputThatIsLongerThanAnEventIsSetAsideThoughInlineBytesWouldTakeIt() {
        Story story = Story.of(rendering()).with(new Bounds(100, 100, 5_000, 50_000, 5_000_000));

        assertEquals(1, start(story, text(2_400)).aside().size());
        assertEquals(List.of("a"), story.open());
    }

    @Test
    void anInputBeyondTheBoundFailsItsNode() {
        Story story =
                Story.of(rendering()).with(new Bounds(100, 100, 20_000, 1_000, 5_000_000).withPayloadBytes(20_000));

        assertEquals(List.of(), start(story, text(12_000)).aside());
        TaskError error = story.all(TaskFailed.class).getFirst().error();
        assertEquals("INPUT_TOO_LARGE", error.code());
        assertEquals("the input is a value of 24019 bytes; the limit is 20000", error.message());
    }

    @Test
    void whatSeveralTerminalsGiveTogetherIsSetAside() {
        Programs program = Programs.dag().tasks("a", "b").edge("start", "a").edge("start", "b");
        Story story = Story.of(program).with(SMALL).start().ok("a", text(800));
        Decision.Accepted accepted = assertInstanceOf(
                Decision.Accepted.class,
                story.decide(new Command.CompleteTask(story.id("b"), 1, new TaskAnswer.Ok(Payload.of(text(900))))));

        byte[] expected = CanonicalJson.exact(
                JsonObject.builder().put("a", text(800)).put("b", text(900)).build());
        assertArrayEquals(expected, accepted.aside().getFirst().bytes());
        assertEquals(
                new Payload.Stored(Sha256.digest(expected), expected.length),
                story.all(RunCompleted.class).getFirst().output());
    }

    /** A single terminal's stored result is passed on as it is: nothing is fetched, nothing stored again. */
    @Test
    void oneTerminalsStoredResultIsNotStoredAgain() {
        Story story = Story.of(Programs.dag().task("a").edge("start", "a"))
                .with(SMALL)
                .start();
        Payload stored = new Payload.Stored(Sha256.ZERO, 19_000);
        Decision.Accepted accepted = assertInstanceOf(
                Decision.Accepted.class,
                story.decide(new Command.CompleteTask(story.id("a"), 1, new TaskAnswer.Ok(stored))));

        assertEquals(List.of(), accepted.aside());
        assertEquals(stored, story.all(RunCompleted.class).getFirst().output());
    }

    /** Decided again with the facts, it is the same decision. */
    @Test
    void storedResultsOfSeveralTerminalsAreAskedForFirst() {
        JsonValue large = text(8_000);
        byte[] bytes = CanonicalJson.exact(large);
        Payload stored = new Payload.Stored(Sha256.digest(bytes), bytes.length);
        Programs program = Programs.dag().tasks("a", "b").edge("start", "a").edge("start", "b");
        Story story = Story.of(program).with(SMALL).start().ok("a", 1);
        Command complete = new Command.CompleteTask(story.id("b"), 1, new TaskAnswer.Ok(stored));
        Fact fact = new Fact.StoredValue(Sha256.digest(bytes));
        assertEquals(
                Set.of(fact),
                assertInstanceOf(Decision.Needs.class, story.decide(complete)).facts());

        story.with(new Env(new PathExpressions(), Map.of(fact, large), JsonObject.EMPTY, SMALL));
        Decision.Accepted accepted = assertInstanceOf(Decision.Accepted.class, story.decide(complete));
        assertEquals(1, accepted.aside().size());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }
}
