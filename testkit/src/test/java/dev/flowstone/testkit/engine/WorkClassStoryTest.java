package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A flood of what nobody waits for: what somebody waits for passes it, and it goes on all the same. Counted in rounds. */
final class WorkClassStoryTest {
    private static final int BATCH = 8;
    private static final String FAR = "test.far";

    private final World world = new World();
    private final List<String> called = new ArrayList<>();

    private SteppedNode node(WorkClasses classes) {
        return node(classes, BATCH);
    }

    private SteppedNode node(WorkClasses classes, int concurrency) {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(describe(HANDLER), call -> {
                    called.add(call.workflow().value());
                    return TaskResult.ok(JsonNull.NULL);
                })
                .remote(describe(FAR))
                .build();
        return world.node(
                EngineConfig.of("one")
                        .withShard(ShardConfig.DEFAULT.withBatch(BATCH))
                        .withTask(TaskConfig.DEFAULT.withConcurrency(concurrency))
                        .withClasses(classes),
                handlers);
    }

    private static ActionDescription describe(String action) {
        return new ActionDescription(new HandlerName(action), "For a test.", List.of());
    }

    private static WorkClasses bulk() {
        return new WorkClasses(Set.of(new WorkflowId("bulk")));
    }

    private static Program wide(String name, String action, int tasks) {
        ProgramBuilder program = ProgramBuilder.dag(name);
        for (int i = 0; i < tasks; i++) {
            program.task("t" + i, action).edge("start", "t" + i);
        }
        return program.build();
    }

    private static List<CompletableFuture<StartAnswer>> ask(SteppedNode node, Published program, int starts) {
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            answers.add(node.node().start(program.start()));
        }
        return answers;
    }

    private static long done(List<CompletableFuture<StartAnswer>> answers) {
        return answers.stream().filter(CompletableFuture::isDone).count();
    }

    /** How many rounds it takes until all of these starts have been answered. */
    private static int rounds(SteppedNode node, List<CompletableFuture<StartAnswer>> answers) {
        int rounds = 0;
        while (done(answers) < answers.size()) {
            node.stepLoops();
            rounds++;
        }
        return rounds;
    }

    @Test
    void aFloodOfBulkStartsHoldsUpNobodyAndGoesOn() {
        SteppedNode node = node(bulk());
        Published many = world.publish(wide("bulk", HANDLER, 1));
        Published few = world.publish(wide("few", HANDLER, 1));
        List<CompletableFuture<StartAnswer>> flood = ask(node, many, 400);
        List<CompletableFuture<StartAnswer>> waited = ask(node, few, 30);

        int rounds = rounds(node, waited);

        assertTrue(rounds <= 30 * 4 / 3 / BATCH + 2, () -> rounds + " rounds");
        assertTrue(done(flood) >= 30 / 4, () -> done(flood) + " of the flood");
        rounds(node, flood);
    }

    @Test
    void withoutClassesTheFloodWouldComeFirst() {
        SteppedNode node = node(WorkClasses.NONE);
        Published many = world.publish(wide("bulk", HANDLER, 1));
        Published few = world.publish(wide("few", HANDLER, 1));
        ask(node, many, 400);

        int rounds = rounds(node, ask(node, few, 1));

        assertTrue(rounds >= 400 / BATCH / 2, () -> rounds + " rounds");
    }

    @Test
    void aFloodOfSensitiveStartsLeavesBulkOnesAQuarter() {
        SteppedNode node = node(bulk());
        List<CompletableFuture<StartAnswer>> flood = ask(node, world.publish(wide("few", HANDLER, 1)), 400);
        List<CompletableFuture<StartAnswer>> waited = ask(node, world.publish(wide("bulk", HANDLER, 1)), 20);

        int rounds = rounds(node, waited);

        assertTrue(rounds <= 20 * 4 / BATCH + 2, () -> rounds + " rounds");
        assertTrue(done(flood) < 100, () -> done(flood) + " of the flood");
    }

    @Test
    void bulkHandlersNeverTakeTheLastPlaces() {
        SteppedNode node = node(bulk());
        World.start(node, world.publish(wide("bulk", HANDLER, 100)));
        assertEquals(BATCH - BATCH / 4, node.waitingHandlers());

        World.start(node, world.publish(wide("few", HANDLER, 1)));
        assertEquals(BATCH - BATCH / 4 + 1, node.waitingHandlers());

        node.settle();
        assertEquals(101, called.size());
    }

    @Test
    void theStepsOfAFloodHoldUpNoStepThatSomebodyWaitsFor() {
        SteppedNode node = node(bulk());
        World.start(node, world.publish(wide("bulk", HANDLER, 200)));
        RunId run = World.start(node, world.publish(ProgramBuilder.sequence("few", 5, HANDLER)));

        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofMinutes(1));

        long before = called.stream().filter("bulk"::equals).count();
        assertEquals(200 + 5, called.size(), "the node settles each time");
        assertTrue(called.lastIndexOf("few") < 5 * (BATCH + 4), () -> called.lastIndexOf("few") + " of " + before);
    }

    /** All handlers have answered, the urgent one last. */
    @Test
    void aFloodOfResultsHoldsUpNoResultThatSomebodyWaitsFor() {
        SteppedNode node = node(bulk(), 1_000);
        World.start(node, world.publish(wide("bulk", HANDLER, 200)));
        RunId run = World.start(node, world.publish(wide("few", HANDLER, 1)));
        while (node.runHandler()) {}
        assertEquals(201, called.size());

        int rounds = 0;
        while (!world.row(run).status().isFinal()) {
            node.stepLoops();
            rounds++;
        }

        assertTrue(rounds <= 2, rounds + " rounds");
    }

    @Test
    void aClaimTakesThreeThatSomebodyWaitsForForOneThatNobodyDoes() throws InterruptedException {
        SteppedNode node = node(bulk());
        World.start(node, world.publish(wide("bulk", FAR, 50)));
        World.start(node, world.publish(wide("few", FAR, 50)));

        List<RemoteTask> claimed = node.node()
                .remoteTasks()
                .claim(
                        new RemoteClaim(
                                World.TENANT, "worker", List.of(new HandlerName(FAR)), 40, Duration.ofMinutes(1)),
                        Duration.ZERO);

        assertEquals(
                30,
                claimed.stream()
                        .filter(task -> task.call().workflow().value().equals("few"))
                        .count());
    }
}
