package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.node.Skew;
import dev.flowstone.engine.shard.ShardLoad;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node tells of what is out of step on it. */
final class SkewStoryTest {
    private final World world = new World();
    private final SteppedNode node = world.node(
            EngineConfig.of("one").withTask(TaskConfig.DEFAULT.withLimits(List.of(ActionLimit.atOnce(HANDLER, 1)))),
            World.handlers(HANDLER, _ -> TaskResult.ok(JsonNull.NULL)));

    private Skew skew(Skew.Of of) {
        return Skew.of(node.node().load(), world.clock.now()).stream()
                .filter(skew -> skew.of() == of)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void startsThatWaitAreSeenByShardAndTenantWithTheirAge() {
        Published program = world.publish(ProgramBuilder.sequence("one", 1, "core.echo"));
        for (int i = 0; i < 5; i++) {
            var _ = node.node().start(program.start());
        }
        world.clock.advance(Duration.ofSeconds(2));

        assertEquals(5, skew(Skew.Of.SHARD).most());
        assertEquals("acme", skew(Skew.Of.TENANT).busiest());
        assertEquals(Duration.ofSeconds(2), skew(Skew.Of.TENANT).oldest());
        node.settle();
        assertEquals(Duration.ZERO, skew(Skew.Of.SHARD).oldest());
    }

    @Test
    void attemptsThatWaitForALimitAreSeenByActionWithTheirAge() {
        Published program = world.publish(ProgramBuilder.dag("two")
                .task("a", HANDLER)
                .task("b", HANDLER)
                .edge("start", "a")
                .edge("start", "b")
                .build());
        World.start(node, program);
        world.clock.advance(Duration.ofSeconds(3));

        assertEquals(HANDLER, skew(Skew.Of.QUEUE).busiest());
        assertEquals(1, skew(Skew.Of.QUEUE).most());
        assertEquals(Duration.ofSeconds(3), skew(Skew.Of.QUEUE).oldest());
    }

    @Test
    void timersThatNoRoundTakesAreLate() {
        World.start(
                node,
                world.publish(ProgramBuilder.dag("later")
                        .timer("d", Duration.ofSeconds(5))
                        .edge("start", "d")
                        .build()));
        node.settle();
        world.clock.advance(Duration.ofSeconds(9));

        NodeLoad load = node.node().load();

        assertTrue(load.shards().stream().map(ShardLoad::late).anyMatch(Duration.ofSeconds(4)::equals), load::toString);
        node.settle();
        assertEquals(0, skew(Skew.Of.TIMERS).most());
    }
}
