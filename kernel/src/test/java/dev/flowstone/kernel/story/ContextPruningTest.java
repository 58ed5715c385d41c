package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.DataEvent.ContextPruned;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.program.ContextRule;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** dataflow.md §8.4: what becomes of results that take a run's context beyond its bound. */
public final class ContextPruningTest {
    private static final int SEEDS = 600;
    private static final int LONGEST_MARK = 40;
    private static final List<Overflow> RULES =
            List.of(Overflow.FAIL, Overflow.AUTO_PRUNE_OLDEST, Overflow.DROP_OVERSIZE);

    /** A text of so many bytes as JSON. */
    private static JsonValue text(int bytes) {
        return new JsonString("x".repeat(bytes - 2));
    }

    private static Story chain(Overflow overflow, int maxBytes) {
        return Story.of(Programs.dag()
                        .tasks("a", "b", "c", "d")
                        .chain("start", "a", "b", "c", "d")
                        .context(overflow, maxBytes))
                .start(Map.of("trigger", Payload.of(text(100))));
    }

    private static Payload kept(Story story, String node) {
        return Optional.ofNullable(story.state().results().get(new NodeId(node)))
                .orElseThrow();
    }

    private static OptionalLong omitted(Story story, String node) {
        Long bytes = story.state().omitted().get(new NodeId(node));
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /** A history for the golden files. */
    static Story pruned() {
        return chain(Overflow.AUTO_PRUNE_OLDEST, 1_000)
                .ok("a", text(300))
                .ok("b", text(300))
                .ok("c", text(700))
                .ok("d", text(10));
    }

    /** Another one. */
    static Story dropped() {
        return chain(Overflow.DROP_OVERSIZE, 1_000)
                .ok("a", text(500))
                .ok("b", text(500))
                .ok("c", text(300))
                .ok("d", text(10));
    }

    @Test
    void theOldestResultsMakeRoom() {
        Story story = pruned();

        assertEquals(OptionalLong.of(300), omitted(story, "a"));
        assertEquals(OptionalLong.of(300), omitted(story, "b"));
        assertEquals(Payload.of(text(700)), kept(story, "c"));
        assertEquals(1, story.all(ContextPruned.class).size());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertTrue(story.state().contextBytes() <= 1_000, story.state()::toString);
    }

    @Test
    void noMoreIsLeftOutThanItTakes() {
        Story story = chain(Overflow.AUTO_PRUNE_OLDEST, 1_000)
                .ok("a", text(300))
                .ok("b", text(300))
                .ok("c", text(500));

        assertEquals(OptionalLong.of(300), omitted(story, "a"));
        assertEquals(Payload.of(text(300)), kept(story, "b"));
        assertEquals(
                Map.of(new NodeId("a"), 300L),
                story.all(ContextPruned.class).getFirst().bytes());
    }

    /** What stands for a result counts, too. */
    @Test
    void theMarksAreWithinTheBound() {
        Story story = chain(Overflow.AUTO_PRUNE_OLDEST, 1_000)
                .ok("a", text(300))
                .ok("b", text(300))
                .ok("c", text(580));

        assertEquals(
                List.of(new NodeId("a"), new NodeId("b")),
                List.copyOf(story.all(ContextPruned.class).getFirst().bytes().keySet()));
        assertTrue(story.state().contextBytes() <= 1_000, story.state()::toString);
    }

    /** A node that is visited again gives up its own result before to the new one, which stays. */
    @Test
    void aNodeThatIsVisitedAgainKeepsItsNewResult() {
        Story story = Story.of(Programs.flow()
                        .tasks("a", "b")
                        .chain("start", "a", "b", "a")
                        .context(Overflow.AUTO_PRUNE_OLDEST, 1_000))
                .start()
                .ok("a", text(400))
                .ok("b", text(500))
                .ok("a", text(800));

        assertEquals(Payload.of(text(800)), kept(story, "a"));
        assertEquals(OptionalLong.of(500), omitted(story, "b"));
    }

    /** Branches visit one node at once: what one of them has given isn't left out for what another gives in its place. */
    @Test
    void aResultIsNotLeftOutForTheOneThatReplacesIt() {
        JsonValue items = JsonArray.of(JsonNumber.of(1), JsonNumber.of(2));
        Story story = Story.of(Programs.flow()
                        .forEach("each", "join", "{{trigger.items}}", "one", 2)
                        .join("join")
                        .end("end")
                        .edge("start", "each")
                        .edge("join", "end")
                        .branch("one", "each", "a")
                        .task("a")
                        .edge("a", "join")
                        .context(Overflow.AUTO_PRUNE_OLDEST, 1_000))
                .start(Map.of(
                        "trigger",
                        Payload.of(JsonObject.builder().put("items", items).build())))
                .ok("a#2", text(500))
                .ok("a#1", text(990));

        assertEquals(
                "CONTEXT_TOO_LARGE",
                story.all(TaskFailed.class).getFirst().error().code());
        assertEquals(List.of(), story.all(ContextPruned.class));
    }

    @Test
    void ifEverythingThatCouldGoIsNotEnoughTheNodeFails() {
        Story story =
                chain(Overflow.AUTO_PRUNE_OLDEST, 1_000).ok("a", text(300)).ok("b", text(901));

        assertEquals(
                "CONTEXT_TOO_LARGE",
                story.all(TaskFailed.class).getFirst().error().code());
        assertEquals(Payload.of(text(300)), kept(story, "a"), "nothing is left out in vain");
        assertEquals(List.of(), story.all(ContextPruned.class));
    }

    @Test
    void aResultThatDoesNotFitIsItselfLeftOutAndItsNodeSucceeds() {
        Story story = dropped();

        assertEquals(Payload.of(text(500)), kept(story, "a"));
        assertEquals(OptionalLong.of(500), omitted(story, "b"));
        assertEquals(Payload.of(text(300)), kept(story, "c"));
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(
                Payload.of(text(500)),
                story.all(TaskCompleted.class).get(1).output(),
                "the event that brought it keeps it");
    }

    /** Other bounds tomorrow change nothing of what was decided. */
    @Test
    void whatIsRecordedHoldsWhateverTheBoundIsLater() {
        Story story = chain(Overflow.DROP_OVERSIZE, 1_000)
                .with(Bounds.DEFAULT.withContextBytes(400))
                .ok("a", text(500))
                .with(Bounds.DEFAULT)
                .restored()
                .ok("b", text(500));

        assertEquals(OptionalLong.of(500), omitted(story, "a"), "the installation's bound is the smaller one");
        assertEquals(Payload.of(text(500)), kept(story, "b"));
    }

    /** A mark may be a byte longer than the mark of a mark. */
    @Test
    void aMarkIsNeverLeftOutItself() {
        Story story = chain(Overflow.AUTO_PRUNE_OLDEST, 1_000)
                .ok("a", text(300))
                .ok("b", text(300))
                .ok("c", text(700))
                .ok("d", text(820));

        assertEquals(
                Map.of(new NodeId("c"), 700L),
                story.all(ContextPruned.class).getLast().bytes());
        assertEquals(OptionalLong.of(300), omitted(story, "a"));
        assertEquals(OptionalLong.of(300), omitted(story, "b"));
    }

    @Test
    void whatStandsAsideCountsWithItsLength() {
        Story story = chain(Overflow.AUTO_PRUNE_OLDEST, 100_000)
                .answer("a", new TaskAnswer.Ok(new Payload.Stored(Sha256.ZERO, 60_000)))
                .answer("b", new TaskAnswer.Ok(new Payload.Stored(Sha256.ZERO, 70_000)));

        assertEquals(OptionalLong.of(60_000), omitted(story, "a"));
        assertEquals(new Payload.Stored(Sha256.ZERO, 70_000), kept(story, "b"));
    }

    @Test
    void aRepeatedAnswerIsKnownAndAnotherOneIsNot() {
        for (Overflow overflow : List.of(Overflow.AUTO_PRUNE_OLDEST, Overflow.DROP_OVERSIZE)) {
            Story story = chain(overflow, 1_000).ok("a", text(500));
            Command complete = new Command.CompleteTask(story.id("b"), 1, new TaskAnswer.Ok(Payload.of(text(600))));
            story.accepted(complete).ignored(complete).restored().ignored(complete);
            story.rejected(
                    RejectionCode.CONFLICT,
                    new Command.CompleteTask(story.id("b#1"), 1, new TaskAnswer.Ok(Payload.of(text(601)))));
        }
    }

    @Test
    void errorsStay() {
        Story story = Story.of(Programs.dag()
                        .tasks("a", "b", "c")
                        .edge("start", "a")
                        .on(Outcome.FAILURE, "a", "b")
                        .edge("b", "c")
                        .context(Overflow.AUTO_PRUNE_OLDEST, 500))
                .start()
                .failForGood("a")
                .ok("b", text(300))
                .ok("c", text(300));

        assertEquals(OptionalLong.empty(), omitted(story, "a"));
        assertEquals(OptionalLong.of(300), omitted(story, "b"));
    }

    @Test
    void aStartThatIsBeyondTheProgramsOwnBoundIsRefused() {
        Story story = Story.of(Programs.dag().task("a").edge("start", "a").context(Overflow.AUTO_PRUNE_OLDEST, 99));

        story.rejected(RejectionCode.CONTEXT_TOO_LARGE, story.startCommand(Map.of("trigger", Payload.of(text(100)))));
        story.accepted(story.startCommand(Map.of("trigger", Payload.of(text(99)))));
    }

    /** Every step is checked by the walk: fold, snapshot, chain. */
    @Test
    void theInvariantsHoldOnWalksThatOverflow() {
        int pruned = 0;
        int failed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Overflow overflow = RULES.get((int) (seed % RULES.size()));
            int most = 150 + (int) (seed % 7) * 50;
            Story story = walk(seed, overflow, most);
            List<ContextPruned> events = story.all(ContextPruned.class);
            assertTrue(overflow != Overflow.FAIL || events.isEmpty(), "seed " + seed);
            pruned += events.isEmpty() ? 0 : 1;
            failed += story.all(TaskFailed.class).stream()
                            .anyMatch(one -> one.error().code().equals("CONTEXT_TOO_LARGE"))
                    ? 1
                    : 0;
            assertTrue(large(story) <= most, () -> "seed of " + overflow + ", " + most + "\n" + story.tale());
        }
        assertTrue(pruned > 60 && failed > 60, pruned + " pruned, " + failed + " failed");
    }

    private static Story walk(long seed, Overflow overflow, int most) {
        try {
            return RandomWalk.wordy(seed, random -> bounded(random, overflow, most), 400);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static Program bounded(Random random, Overflow overflow, int most) {
        Program program = RandomPrograms.next(random);
        return new Program(
                program.dialect(),
                program.compiler(),
                program.workflow(),
                program.scopes(),
                program.nodes(),
                program.edges(),
                program.output(),
                program.deadline(),
                program.metadata(),
                new ContextRule(overflow, Optional.of(most)));
    }

    /**
     * Bytes of outputs of tasks that are longer than a mark: of whatever else a context has, the bound lets some more in. An output takes the
     * place of what is longer in any case, as the error of a node is that has read what was left out.
     */
    private static long large(Story story) {
        Map<NodeId, Payload> outputs = new HashMap<>();
        for (TaskCompleted completed : story.all(TaskCompleted.class)) {
            outputs.put(completed.activation().node(), completed.output());
        }
        for (TaskFailed failed : story.all(TaskFailed.class)) {
            if (failed.error().details().find("code").isPresent()) {
                outputs.remove(failed.activation().node());
            }
        }
        return story.state().results().entrySet().stream()
                .filter(one -> one.getValue().equals(outputs.get(one.getKey())))
                .mapToLong(one -> PayloadSize.of(one.getValue()))
                .filter(bytes -> bytes > LONGEST_MARK)
                .sum();
    }

    /** The same walk gives the same bytes, wherever and whenever it is decided. */
    @Test
    void whatIsLeftOutIsTheSameEachTime() {
        int pruned = 0;
        for (long seed = 1; seed < 60; seed += 3) {
            List<String> first = texts(walk(seed, Overflow.AUTO_PRUNE_OLDEST, 450));
            assertEquals(first, texts(walk(seed, Overflow.AUTO_PRUNE_OLDEST, 450)));
            pruned += first.size();
        }
        assertTrue(pruned > 0, "nothing was left out of any");
    }

    private static List<String> texts(Story story) {
        return story.all(ContextPruned.class).stream()
                .map(one -> one.bytes().toString())
                .toList();
    }
}
