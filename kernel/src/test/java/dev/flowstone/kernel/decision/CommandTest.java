package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.PathExpressions;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Commands at the wrong moment, malformed ones, and facts (R1). */
final class CommandTest {
    private static final TaskAnswer OK = new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)));

    private static Story story() {
        return Story.of(Programs.dag()
                .tasks("a", "skipped")
                .timer("t", "PT1H")
                .edge("start", "a")
                .edge("start", "t")
                .edge("start", "skipped", "false"));
    }

    @Test
    void rejectsEverythingBeforeTheStart() {
        Story story = story();
        ActivationId a = ActivationId.parse("a#1");
        story.rejected(RejectionCode.NOT_STARTED, new Command.CompleteTask(a, 1, OK));
        story.rejected(RejectionCode.NOT_STARTED, new Command.FireTimer(new TimerId("t#1"), 1));
        story.rejected(RejectionCode.NOT_STARTED, new Command.ContinueRun());
    }

    @Test
    void rejectsASecondStart() {
        Story story = story().start();
        story.rejected(RejectionCode.ALREADY_STARTED, story.startCommand(Map.of()));
    }

    @Test
    void rejectsMalformedStarts() {
        Story story = story();
        Payload empty = Payload.of(JsonObject.EMPTY);
        for (String root : List.of("context", "vars", "not a name", "", "x".repeat(65))) {
            story.rejected(RejectionCode.INVALID_COMMAND, story.startCommand(Map.of(root, empty)));
        }
        Command.StartRun good = story.startCommand(Map.of());
        story.rejected(
                RejectionCode.INVALID_COMMAND,
                new Command.StartRun(good.tenant(), good.run(), 3, Sha256.ZERO, Optional.empty(), Map.of()));
        story.rejected(
                RejectionCode.INVALID_COMMAND,
                new Command.StartRun(good.tenant(), good.run(), -1, good.program(), Optional.empty(), Map.of()));
        story.rejected(
                RejectionCode.INVALID_COMMAND,
                new Command.StartRun(good.tenant(), good.run(), 1, good.program(), Optional.of("\ud800"), Map.of()));
        story.rejected(
                RejectionCode.LIMIT_EXCEEDED,
                story.startCommand(Map.of("trigger", Payload.of(new JsonString("x".repeat(1 << 20))))));
    }

    @Test
    void rejectsAnswersForNobody() {
        Story story = story().start();
        for (String nobody : List.of("nowhere#1", "a#2", "skipped#1", "skipped#2")) {
            story.rejected(RejectionCode.NOT_FOUND, new Command.CompleteTask(ActivationId.parse(nobody), 1, OK));
        }
        for (int attempt : new int[] {-1, 0, 2}) {
            story.rejected(RejectionCode.NOT_FOUND, new Command.CompleteTask(ActivationId.parse("a#1"), attempt, OK));
        }
        story.rejected(RejectionCode.INVALID_STATE, new Command.CompleteTask(ActivationId.parse("t#1"), 1, OK));
        story.rejected(RejectionCode.NOT_FOUND, new Command.FireTimer(new TimerId("u#1"), 1));
        story.ignored(new Command.ContinueRun());
    }

    @Test
    void aFinalRunTakesNothingMore() {
        Story story = story().start().ok("a", 1).fire("t#1", 1);
        assertEquals(RunStatus.SUCCEEDED, story.status());

        story.ignored(new Command.CompleteTask(ActivationId.parse("a#1"), 1, OK));
        story.rejected(
                RejectionCode.CONFLICT,
                new Command.CompleteTask(
                        ActivationId.parse("a#1"), 1, new TaskAnswer.Ok(Payload.of(JsonNumber.of(2)))));
        story.rejected(RejectionCode.NOT_FOUND, new Command.FireTimer(new TimerId("t#1"), 1));
        story.ignored(new Command.ContinueRun());
    }

    /** cases.md 7, second half: completions of two hundred different tasks all succeed, in whatever order. */
    @Test
    void twoHundredParallelCompletionsAllSucceed() {
        Programs program = Programs.dag();
        for (int i = 0; i < 200; i++) {
            program.task("t" + i).edge("start", "t" + i);
        }
        Story story = Story.unchecked(program.build(), Bounds.DEFAULT).start();
        for (int i = 0; i < 200; i++) {
            story.ok("t" + (i * 77 % 200));
        }
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** R1: a missing fact emits nothing; all that a node's conditions miss are asked for at once. */
    @Test
    void needsTheStoredValuesThatConditionsRead() {
        JsonValue big = JsonObject.builder().put("ok", true).build();
        Sha256 one = Sha256.digest(CanonicalJson.exact(big));
        Sha256 two = Sha256.digest(new byte[] {2});
        Story story = Story.of(Programs.dag()
                .tasks("a", "b", "c")
                .task("d", Retry.NONE, new JsonString("{{trigger.ok}}"), true, Routing.ALL)
                .edge("start", "a")
                .edge("a", "b", "context.data.a.ok")
                .edge("a", "c", "trigger.ok")
                .edge("b", "d"));
        story.start(Map.of("trigger", new Payload.Stored(two, 50)));

        Command complete =
                new Command.CompleteTask(ActivationId.parse("a#1"), 1, new TaskAnswer.Ok(new Payload.Stored(one, 50)));
        Decision.Needs needs = assertInstanceOf(Decision.Needs.class, story.decide(complete));
        assertEquals(Set.of(new Fact.StoredValue(one), new Fact.StoredValue(two)), needs.facts());

        Map<Fact, JsonValue> facts = new HashMap<>();
        facts.put(new Fact.StoredValue(one), big);
        facts.put(new Fact.StoredValue(two), JsonObject.EMPTY);
        story.with(new Env(new PathExpressions(), facts, JsonObject.EMPTY, Bounds.DEFAULT))
                .accepted(complete);
        assertEquals(List.of("b"), story.open());
    }

    @Test
    void anEnvelopeThatIsNotUnicodeIsRefused() {
        Story story = story();
        Stamp good = story.stamp();
        Stamp bad = new Stamp(
                good.time(),
                Optional.empty(),
                1,
                new Actor("user", "\ud800"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "c");
        Decision decision = Kernel.decide(story.env(), story.state(), bad, story.startCommand(Map.of()));
        assertEquals(
                RejectionCode.INVALID_COMMAND,
                assertInstanceOf(Decision.Rejected.class, decision).code());
    }

    /** The output is one terminal's payload as it is, or an object, or a note if it is longer than a value may be. */
    @Test
    void anOutputLongerThanAValueMayBeIsLeftOut() {
        Story story = Story.of(Programs.dag().tasks("a", "b").edge("start", "a").edge("start", "b"))
                .with(new Bounds(100, 100, 5_000, 4_000, 5_000_000).withPayloadBytes(5_000))
                .start()
                .ok("a", new JsonString("x".repeat(3_000)))
                .ok("b", new JsonString("y".repeat(3_000)));

        assertEquals(
                JsonObject.builder()
                        .put(
                                "omitted",
                                JsonObject.builder()
                                        .put("code", "LIMIT_EXCEEDED")
                                        .put("nodes", 2)
                                        .build())
                        .build(),
                story.output());
    }
}
