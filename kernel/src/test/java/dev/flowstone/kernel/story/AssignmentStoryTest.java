package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.asked;
import static dev.flowstone.kernel.story.Asks.parties;
import static dev.flowstone.kernel.story.Asks.task;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** R13: whom a human task asks, and how it fails where that is nobody. */
final class AssignmentStoryTest {
    @Test
    void asksWhomTheRuleFindsAndShowsWhatItRenders() {
        JsonValue rule = new JsonArray(List.of(
                new JsonString("{{trigger.manager}}"),
                JsonObject.builder().put("role", "cfo").build(),
                JsonObject.builder().put("user", "ann").build(),
                new JsonString("ann"),
                JsonNull.NULL));
        Story story = Story.of(Asks.flow(Asks.by("ask", rule)));
        story.start(Map.of(
                "trigger", Payload.of(JsonObject.builder().put("manager", "max").build())));

        assertEquals(List.of(Party.user("max"), Party.role("cfo"), Party.user("ann")), parties(story));
        assertEquals(
                Payload.of(JsonObject.builder().put("what", "ask").build()),
                task(story).request());
        assertEquals(
                List.of("RunStarted", "ActivationOpened"), story.lastKinds().subList(0, 2));
        assertTrue(story.lastKinds().contains("HumanTaskOpened"));
    }

    @Test
    void case12AnAssignmentRuleThatFindsNobodyFailsVisibly() {
        for (JsonValue nobody : List.of(JsonNull.NULL, JsonArray.EMPTY, new JsonString(""))) {
            Story story = Story.of(Asks.flow(Asks.by("ask", new JsonString("{{trigger.who}}"))));
            story.start(Map.of(
                    "trigger",
                    Payload.of(JsonObject.builder().put("who", nobody).build())));

            assertEquals(RunStatus.FAILED, story.status());
            assertEquals(
                    "NO_ASSIGNEE",
                    story.all(EventBody.TaskFailed.class).getFirst().error().code());
        }
    }

    @Test
    void case12AnAssignmentRuleThatNamesNobodyIsRefusedAtPublish() {
        List<ProgramFault.Code> codes = ProgramCheck.faults(
                        Asks.flow(Asks.of("ask")).build())
                .stream()
                .map(ProgramFault::code)
                .toList();

        assertEquals(List.of(ProgramFault.Code.NO_ASSIGNEE), codes);
    }

    @Test
    void whatIsNoListOfPartiesFailsClearly() {
        for (JsonValue wrong : List.of(
                JsonNumber.of(7),
                JsonObject.builder().put("group", "x").build(),
                JsonObject.builder().put("user", 1).build(),
                JsonObject.EMPTY,
                new JsonString("x".repeat(201)))) {
            Story story = Story.of(Asks.flow(Asks.by("ask", new JsonString("{{trigger.who}}"))));
            story.start(Map.of(
                    "trigger", Payload.of(JsonObject.builder().put("who", wrong).build())));

            assertEquals(
                    "INVALID_ASSIGNEES",
                    story.all(EventBody.TaskFailed.class).getFirst().error().code());
        }
    }

    @Test
    void aRuleThatCannotBeRenderedFailsTheTask() {
        Story story = asked(Asks.by("ask", new JsonString("{{trigger.nobody.there}}")));

        assertEquals(
                "TEMPLATE_ERROR",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());
    }
}
