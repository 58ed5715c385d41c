package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Variables of a run, and its output by a template. */
final class VariableStoryTest {
    private static final JsonValue ONE = JsonNumber.of(1);
    private static final JsonValue TWO = JsonNumber.of(2);

    private static JsonValue from(String path) {
        return new JsonString("{{" + path + "}}");
    }

    private static DataCommand.SetVariables set(String name, JsonValue value) {
        return new DataCommand.SetVariables(Map.of(name, value), "corrected");
    }

    @Test
    void anAssignWritesWhatLaterNodesSee() {
        Story story = Story.of(Programs.flow()
                        .node(Asks.assign("init", Map.of("count", ONE)))
                        .task("a")
                        .task("b")
                        .end("end")
                        .edge("start", "init")
                        .edge("init", "a", "variables.count=1")
                        .edge("init", "b")
                        .edge("a", "end")
                        .edge("b", "end"))
                .start();

        assertEquals(List.of("a"), story.open());
        assertEquals(JsonObject.builder().put("count", 1).build(), story.state().variables());
        assertEquals(
                Optional.empty(),
                story.all(DataEvent.VariablesSet.class).getFirst().reason());
    }

    /** All are rendered on the values before: two can change places. */
    @Test
    void anAssignWritesAllAtOnce() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.assign("init", Map.of("a", ONE, "b", TWO)))
                        .node(Asks.assign("swap", Map.of("a", from("variables.b"), "b", from("variables.a"))))
                        .task("t")
                        .chain("start", "init", "swap", "t"))
                .start();

        assertEquals(
                JsonObject.builder().put("a", 2).put("b", 1).build(),
                story.state().variables());
    }

    @Test
    void anAssignThatCannotBeRenderedWritesNothing() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.assign("init", Map.of("a", ONE, "b", from("nowhere"))))
                        .task("mend")
                        .edge("start", "init")
                        .on(Outcome.FAILURE, "init", "mend"))
                .start();

        assertEquals(List.of("mend"), story.open());
        assertEquals(JsonObject.EMPTY, story.state().variables());
        assertEquals(
                "TEMPLATE_ERROR",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());
    }

    @Test
    void variablesAreBoundedTogether() {
        Bounds small = new Bounds(100, 100, 1 << 20, 1 << 15, 5_000_000).withVariableBytes(100);
        Story story = Story.of(Programs.dag()
                        .node(Asks.assign("init", Map.of("a", new JsonString("x".repeat(60)))))
                        .node(Asks.assign("more", Map.of("b", new JsonString("x".repeat(60)))))
                        .task("mend")
                        .chain("start", "init", "more")
                        .on(Outcome.FAILURE, "more", "mend"))
                .with(small)
                .start();
        assertEquals(
                "VARIABLES_TOO_LARGE",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());

        story.rejected(RejectionCode.LIMIT_EXCEEDED, set("b", new JsonString("x".repeat(40))))
                .accepted(set("a", ONE))
                .accepted(set("b", new JsonString("x".repeat(60))));
    }

    @Test
    void aPersonWritesVariablesAndSaysWhy() {
        Story story = Story.of(Programs.dag().task("a").edge("start", "a"))
                .start()
                .by("operator")
                .accepted(set("limit", TWO));

        assertEquals(
                Optional.of("corrected"),
                story.all(DataEvent.VariablesSet.class).getFirst().reason());
        assertEquals("user:operator", story.events().getLast().header().actor().toString());
        assertEquals(TWO, story.state().variables().get("limit"));
        story.rejected(RejectionCode.INVALID_COMMAND, set("not a name", ONE))
                .rejected(RejectionCode.INVALID_COMMAND, new DataCommand.SetVariables(Map.of(), "why"))
                .rejected(RejectionCode.INVALID_COMMAND, new DataCommand.SetVariables(Map.of("a", ONE), ""))
                .ok("a")
                .rejected(RejectionCode.INVALID_STATE, set("limit", ONE));
    }

    @Test
    void inputCannotReplaceVariables() {
        Story story = Story.of(Programs.dag().task("a").edge("start", "a"));
        story.rejected(
                RejectionCode.INVALID_COMMAND, story.startCommand(Map.of("variables", Payload.of(JsonObject.EMPTY))));
    }

    @Test
    void aVariableWithABadNameIsRefusedAtPublish() {
        List<ProgramFault.Code> codes = ProgramCheck.faults(Programs.dag()
                        .node(Asks.assign("init", Map.of("no name", ONE)))
                        .edge("start", "init")
                        .build())
                .stream()
                .map(ProgramFault::code)
                .toList();

        assertEquals(List.of(ProgramFault.Code.INVALID_VARIABLE), codes);
    }

    @Test
    void theOutputIsWhatTheTemplateSays() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.assign("init", Map.of("x", TWO)))
                        .task("a")
                        .chain("start", "init", "a")
                        .output(JsonObject.builder()
                                .put("x", from("variables.x"))
                                .put("a", from("context.data.a"))
                                .build()))
                .start()
                .ok("a", 7);

        assertEquals(JsonObject.builder().put("x", 2).put("a", 7).build(), story.output());
    }

    @Test
    void aRunWhoseOutputCannotBeRenderedFailsVisibly() {
        Story story = Story.of(Programs.dag().task("a").edge("start", "a").output(from("context.data.b")))
                .start()
                .ok("a");

        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(
                "OUTPUT_TEMPLATE_ERROR",
                story.all(EventBody.RunFailed.class).getFirst().error().code());
    }

    @Test
    void aRunWhoseOutputNoEventHoldsFailsVisibly() {
        Story story = Story.of(Programs.dag()
                        .task("a")
                        .edge("start", "a")
                        .output(JsonObject.builder()
                                .put("one", from("context.data.a"))
                                .put("two", from("context.data.a"))
                                .build()))
                .with(new Bounds(100, 100, 5_000, 4_000, 5_000_000).withPayloadBytes(5_000))
                .start()
                .ok("a", new JsonString("x".repeat(3_000)));

        assertEquals(
                "OUTPUT_TOO_LARGE",
                story.all(EventBody.RunFailed.class).getFirst().error().code());
    }

    @Test
    void aFailedRunRendersNoOutput() {
        Story story = Story.of(Programs.dag().task("a").edge("start", "a").output(from("context.data.b")))
                .start()
                .failForGood("a");

        assertEquals(
                "BROKEN",
                story.all(EventBody.RunFailed.class).getFirst().error().code());
    }
}
