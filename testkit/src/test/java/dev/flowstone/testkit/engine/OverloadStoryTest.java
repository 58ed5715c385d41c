package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shard that is offered more than it can take: each source of work has its share. */
final class OverloadStoryTest {
    private static final int ROUNDS = 4;

    private final World world = new World();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void messagesAreReadThoughStartsFillEveryBatch(int batch) throws JournalException {
        SteppedNode node = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatch(batch)),
                World.handlers(HANDLER, _ -> TaskResult.ok(JsonNull.NULL)));
        Published program = world.publish(SmallPrograms.one(SmallPrograms.attempts(1), Duration.ofMinutes(1)));
        RunId run = World.start(node, program);
        world.ports
                .inbox()
                .accept(new TaskAnswerMessage(ActivationId.parse("t#1"), 1, TaskResult.ok(JsonNull.NULL))
                        .to(new RunKey(World.TENANT, run), "a worker", world.clock.now()));
        world.clock.advance(Duration.ofSeconds(2));
        for (int i = 0; i < batch * ROUNDS * 10; i++) {
            var _ = node.node().start(program.start());
        }

        for (int i = 0; i < ROUNDS; i++) {
            assertTrue(node.stepLoops());
        }

        assertEquals(1, world.history(run).count(TaskCompleted.class));
    }

    /** Such as hundreds of runs that were held and may go on. */
    @Test
    void whatAShardAsksOfItselfLeavesThreeQuartersToOthers() throws JournalException {
        SteppedNode node = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatch(8)),
                World.handlers(HANDLER, _ -> TaskResult.ok(JsonNull.NULL)));
        Published held = world.publish(SmallPrograms.one(SmallPrograms.attempts(1), Duration.ofMinutes(1)));
        for (int i = 0; i < 60; i++) {
            var _ = World.start(node, held);
        }
        SettingScope all =
                new SettingScope.Workflow(World.TENANT, held.program().workflow());
        Actor operator = new Actor("user", "op");
        node.node().control().change(SettingRequest.suspend(all, HoldPolicy.DEFAULT, "audit", operator));
        node.settleLoops();
        node.node().control().change(SettingRequest.resume(all, "done", operator));
        Published other = world.publish(SmallPrograms.work());
        List<CompletableFuture<StartAnswer>> starts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            starts.add(node.node().start(other.start()));
        }

        for (int i = 0; i < ROUNDS; i++) {
            assertTrue(node.stepLoops());
        }

        assertEquals(
                6 * ROUNDS, starts.stream().filter(CompletableFuture::isDone).count());
        node.settleLoops();
        assertTrue(starts.stream().allMatch(CompletableFuture::isDone));
    }
}
