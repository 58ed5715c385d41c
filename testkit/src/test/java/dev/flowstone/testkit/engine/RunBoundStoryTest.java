package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program's {@code settings.maxParallelActions} is one bound for each run, wherever its attempts are made. */
final class RunBoundStoryTest {
    private static final HandlerName FAR = new HandlerName("test.far");

    private final World world = new World();

    static Program bounded(Program program, int most) {
        JsonObject settings =
                JsonObject.builder().put("maxParallelActions", most).build();
        return new Program(
                program.dialect(),
                program.compiler(),
                program.workflow(),
                program.scopes(),
                program.nodes(),
                program.edges(),
                program.output(),
                program.deadline(),
                JsonObject.builder().put("settings", settings).build());
    }

    private static int claimed(SteppedNode node) throws InterruptedException {
        RemoteClaim claim = new RemoteClaim(World.TENANT, "worker", List.of(FAR), 10, Duration.ofMinutes(1));
        return node.node().remoteTasks().claim(claim, Duration.ZERO).size();
    }

    @Test
    void aRunsBoundIsOneForHandlersAndWorkers() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .action(
                        new ActionDescription(new HandlerName(HANDLER), "For a test.", List.of()),
                        _ -> TaskResult.ok(JsonNull.NULL))
                .remote(new ActionDescription(FAR, "For a test.", List.of()))
                .build();
        SteppedNode node = world.node(EngineConfig.of("one"), handlers);
        ProgramBuilder mixed = ProgramBuilder.dag("mixed");
        List.of("a", "b").forEach(id -> mixed.task(id, HANDLER).edge("start", id));
        List.of("c", "d").forEach(id -> mixed.task(id, FAR.value()).edge("start", id));
        Published program = world.publish(bounded(mixed.build(), 2));

        start(node, program);
        assertEquals(2, node.waitingHandlers());
        assertEquals(0, claimed(node));
        assertTrue(node.runHandler());
        node.settleLoops();
        assertEquals(1, claimed(node));
        assertEquals(0, claimed(node));

        start(node, program);
        assertEquals(3, node.waitingHandlers(), "another run has places of its own");
    }

    /** What frees its place is decided only when the transaction has given the run back. */
    @Test
    void aTransactionWaitsForNoneOfItsRunsPlaces() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .action(
                        new ActionDescription(new HandlerName(HANDLER), "For a test.", List.of()),
                        _ -> TaskResult.ok(JsonNull.NULL))
                .remote(new ActionDescription(FAR, "For a test.", List.of()))
                .transactional(
                        new ActionDescription(new HandlerName("doc.post"), "For a test.", List.of()),
                        (_, _) -> TaskResult.ok(JsonNull.NULL))
                .build();
        SteppedNode node = world.node(EngineConfig.of("one"), handlers);
        Program program = ProgramBuilder.dag("mixed")
                .task("near", HANDLER)
                .task("far", FAR.value())
                .task("post", "doc.post")
                .edge("start", "near")
                .edge("start", "far")
                .edge("near", "post")
                .build();
        var answer = node.node()
                .start(world.publish(bounded(program, 1))
                        .start()
                        .about(new SubjectBinding(new Subject("doc", "7"), 1, true)));
        node.settleLoops();
        RunId run = World.started(answer);
        assertTrue(node.runHandler());
        assertEquals(1, claimed(node), "it has the run's only place");

        node.settleLoops();

        assertTrue(node.runHandler(), "the transaction");
        node.settleLoops();
        assertEquals(2, world.history(run).count(TaskCompleted.class));
    }
}
