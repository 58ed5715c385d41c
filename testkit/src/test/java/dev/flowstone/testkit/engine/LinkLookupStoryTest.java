package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a task makes outside is known in the whole tenant, so that it isn't made twice (R20). */
final class LinkLookupStoryTest {
    private final World world = new World(4);
    private final List<Optional<LinkLookup.Found>> seen = new ArrayList<>();
    private final SteppedNode node = world.node(EngineConfig.of("one"), World.handlers("shop.order", call -> {
        Optional<LinkLookup.Found> found = call.links().find("order", "4711");
        seen.add(found);
        return TaskResult.ok(
                JsonNull.NULL, new TaskResult.Link("order", "4711", new JsonString("made by " + call.run())));
    }));
    private final Published orders = world.publish(ProgramBuilder.sequence("orders", 1, "shop.order"));

    private RunId run() {
        CompletableFuture<StartAnswer> answer = node.node().start(orders.start());
        node.settle();
        return World.started(answer);
    }

    @Test
    void aHandlerFindsWhatAnotherRunHasMade() {
        RunId first = run();
        RunId second = run();

        JsonString made = new JsonString("made by " + first);
        assertEquals(List.of(Optional.empty(), Optional.of(new LinkLookup.Found(first, made))), seen);
        assertEquals(1, world.history(first).count(ResourceClaimed.class));
        ResourceSettled own = world.history(first).all(ResourceSettled.class).getFirst();
        assertTrue(own.owned());
        ResourceSettled found = world.history(second).all(ResourceSettled.class).getFirst();
        assertEquals(first, found.owner());
        assertFalse(found.owned());
    }

    @Test
    void aNameThatIsTooLongFailsTheTask() {
        World own = new World(1);
        SteppedNode only = own.node(
                EngineConfig.of("one"),
                World.handlers(
                        "shop.order",
                        call -> TaskResult.ok(
                                JsonNull.NULL, new TaskResult.Link("order", "x".repeat(201), JsonNull.NULL))));
        CompletableFuture<StartAnswer> answer = only.node()
                .start(own.publish(ProgramBuilder.sequence("orders", 1, "shop.order"))
                        .start());
        only.settle();

        assertEquals(
                "INVALID_LINKS",
                own.history(World.started(answer))
                        .all(EventBody.TaskFailed.class)
                        .getFirst()
                        .error()
                        .code());
    }
}
