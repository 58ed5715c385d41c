package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.testkit.scenario.Published;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests to start runs. */
public final class StartRequests {
    private static final int LARGE = 300;

    /** Of a hundred. */
    private static final int MOSTLY = 85;

    private static final int NOW_AND_THEN = 15;

    private StartRequests() {}

    /** One with a random input, small or large. Its correlation names its run in traces. */
    public static StartRequest of(Published workflow, Dice dice, Optional<String> requestId) {
        JsonObject.Builder trigger =
                JsonObject.builder().put("x", dice.percent(50)).put("k", "k" + dice.below(2));
        List<JsonValue> items = new ArrayList<>();
        for (int i = dice.below(4); i > 0; i--) {
            items.add(JsonNumber.of(i));
        }
        trigger.put("items", new JsonArray(items));
        if (dice.percent(20)) {
            trigger.put("pad", "y".repeat(LARGE));
        }
        return new StartRequest(
                World.TENANT,
                workflow.program().workflow(),
                1,
                workflow.hash(),
                requestId,
                Map.of("trigger", trigger.build()),
                new Actor("user", "simulated"),
                "run-" + Long.toUnsignedString(dice.anyLong(), Character.MAX_RADIX));
    }

    /** The same, perhaps about a subject; mostly if its program has to do with one. Some must be alone, some come too late. */
    public static StartRequest about(World world, Published workflow, Dice dice, StartRequest request) {
        if (!dice.percent(hasToDoWithSubjects(workflow) ? MOSTLY : NOW_AND_THEN)) {
            return request;
        }
        Subject subject = SubjectBook.any(dice);
        long known = world.subjects().version(subject);
        long version = dice.percent(90) ? known : Math.max(0, known - 1 + 2L * dice.below(2));
        return request.about(new SubjectBinding(subject, version, dice.percent(35)));
    }

    private static boolean hasToDoWithSubjects(Published workflow) {
        return workflow.program().nodes().stream()
                .anyMatch(
                        node -> node instanceof Node.Task task && task.handler().equals(Handlers.MUTATE));
    }
}
