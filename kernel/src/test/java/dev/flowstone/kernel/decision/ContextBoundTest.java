package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** dataflow.md §10.3: a run's input and results stay within a bound, whether they stand in events or aside. */
final class ContextBoundTest {
    private static final Bounds TEN_THOUSAND = Bounds.DEFAULT.withContextBytes(10_000);

    /** A text of so many bytes as JSON. */
    private static JsonValue text(int bytes) {
        return new JsonString("x".repeat(bytes - 2));
    }

    private static Story sequence() {
        return Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .edge("start", "a")
                        .edge("a", "b")
                        .edge("b", "c"))
                .with(TEN_THOUSAND);
    }

    @Test
    void resultsUpToTheBoundAreTakenAndTheNextByteIsNot() {
        Story story = sequence().start(Map.of("trigger", Payload.of(text(1_000))));
        assertEquals(1_000, story.state().contextBytes());
        story.ok("a", text(4_000)).ok("b", text(5_000));
        assertEquals(10_000, story.state().contextBytes());

        story.ok("c", text(2));

        TaskFailed failed = story.all(TaskFailed.class).getFirst();
        assertEquals("CONTEXT_TOO_LARGE", failed.error().code());
        assertEquals(
                "with this result of 2 bytes the run's input and results would have more than 10000 bytes together",
                failed.error().message());
        assertEquals(FailureClass.PERMANENT, failed.failure());
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void whatStandsAsideCountsWithItsOwnLength() {
        Story story = sequence().start(Map.of("trigger", new Payload.Stored(Sha256.ZERO, 6_000)));
        story.answer("a", new TaskAnswer.Ok(new Payload.Stored(Sha256.ZERO, 4_001)));

        assertEquals(
                "CONTEXT_TOO_LARGE",
                story.all(TaskFailed.class).getFirst().error().code());
    }

    /** The handler's result was too large each time it is told; the failure that it became is known again. */
    @Test
    void aRepeatedResultIsKnownByTheFailureThatItBecame() {
        Story story = sequence().start().ok("a", text(5_000));
        Command complete = new Command.CompleteTask(story.id("b"), 1, new TaskAnswer.Ok(Payload.of(text(6_000))));
        story.accepted(complete).ignored(complete);
        story.restored().ignored(complete);
        story.rejected(
                RejectionCode.CONFLICT,
                new Command.CompleteTask(story.id("b#1"), 1, new TaskAnswer.Ok(Payload.of(text(6_001)))));
    }

    /** A loop's newest result takes the place of the one before. */
    @Test
    void aVisitAgainCountsOnce() {
        Story story = Story.of(Programs.flow().task("a").edge("start", "a").edge("a", "a"))
                .with(TEN_THOUSAND)
                .start();
        for (int i = 0; i < 5; i++) {
            story.ok("a", text(6_000)).goOn();
        }
        long trigger = CanonicalJson.exactLength(JsonObject.EMPTY);
        assertEquals(6_000 + trigger, story.state().contextBytes());
        assertEquals(List.of(), story.all(TaskFailed.class));
        story.ok("a", text(9_999));
        assertEquals(1, story.all(TaskFailed.class).size());
    }

    /** Smaller is always fine, also when the bound was lowered under a run. */
    @Test
    void aResultThatMakesTheContextSmallerIsTaken() {
        Story story = Story.of(Programs.flow().task("a").edge("start", "a").edge("a", "a"))
                .with(TEN_THOUSAND)
                .start()
                .ok("a", text(9_000))
                .with(Bounds.DEFAULT.withContextBytes(5_000));
        story.ok("a", text(8_000));

        assertEquals(List.of(), story.all(TaskFailed.class));
    }

    @Test
    void theFailureMayBeRoutedLikeAnyOther() {
        Story story = Story.of(
                        Programs.dag().tasks("a", "rescue").edge("start", "a").on(Outcome.FAILURE, "a", "rescue"))
                .with(TEN_THOUSAND)
                .start()
                .ok("a", text(10_001));

        assertEquals(List.of("rescue"), story.open());
    }

    @Test
    void aStartThatIsBeyondByItselfIsRefused() {
        Story story = sequence();
        story.rejected(
                RejectionCode.CONTEXT_TOO_LARGE,
                story.startCommand(Map.of("trigger", Payload.of(text(9_000)), "spec", Payload.of(text(1_001)))));
        story.accepted(story.startCommand(Map.of("trigger", Payload.of(text(9_000)), "spec", Payload.of(text(1_000)))));
    }

    /** An old history that is beyond the bound folds as ever: only decisions look at it. */
    @Test
    void aRunThatIsBeyondAlreadyGoesOn() {
        Story story = sequence().with(Bounds.DEFAULT).start().ok("a", text(20_000));
        story.with(TEN_THOUSAND).restored();

        assertEquals(List.of("b"), story.open());
        assertEquals(20_002, story.state().contextBytes());
        story.fail("b");
        assertEquals(RunStatus.FAILED, story.status());
    }
}
