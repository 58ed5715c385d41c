package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Many branches that visit a node are no loop; a loop in a branch is found all the same (R4). */
final class RunawayTest {
    private static final Bounds FIVE_VISITS = new Bounds(10_000, 5, 1 << 20, 1 << 15, 5_000_000);

    private static Map<String, Payload> items(int count) {
        JsonArray items = new JsonArray(Collections.<JsonValue>nCopies(count, JsonNumber.of(1)));
        return Map.of(
                "trigger", Payload.of(JsonObject.builder().put("items", items).build()));
    }

    private static Programs forEach() {
        return Programs.flow()
                .forEach("each", "join", "{{trigger.items}}", "one", 100)
                .join("join")
                .end("end")
                .edge("start", "each")
                .edge("join", "end")
                .branch("one", "each", "pass");
    }

    @Test
    void manyBranchesThatDoNotWaitAreNoLoop() {
        Story story = Story.of(forEach().choice("pass").edge("pass", "join"))
                .with(FIVE_VISITS)
                .start(items(300));

        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aLoopInABranchIsOneHoweverManyBranchesThereAre() {
        Story story = Story.of(forEach().choice("pass").edge("pass", "pass"))
                .with(FIVE_VISITS)
                .start(items(3));

        assertEquals("RUNAWAY_LOOP", story.all(IncidentRaised.class).getFirst().code());
        assertEquals(
                15,
                story.all(ActivationOpened.class).stream()
                        .filter(it -> it.activation().node().value().equals("pass"))
                        .count());
    }
}
