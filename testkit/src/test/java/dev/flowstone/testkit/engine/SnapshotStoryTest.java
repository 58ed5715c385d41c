package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** States that were dropped come back from snapshots and tails as they were. */
final class SnapshotStoryTest {
    private final World world = new World();

    @Test
    void statesComeBackFromSnapshotsWhenTheCacheIsTooSmall() {
        Published long10 = world.publish(ProgramBuilder.sequence("ten", 10, "core.echo"));
        EngineConfig config = EngineConfig.of("one")
                .withShard(ShardConfig.DEFAULT.withCache(1).withSnapshots(7, 1_000));
        SteppedNode node = world.node(config, BuiltInActions.registry());
        int before = world.journal.reads();
        RunId run = start(node, long10);
        for (int i = 0; i < 6; i++) {
            assertTrue(node.runHandler());
            node.settleLoops();
        }

        assertTrue(world.journal.reads() - before >= 6, "each step loads the run again");
        assertTrue(world.stored(run).snapshot().isPresent());
        assertTrue(world.stored(run).tail().size() < 7);
        node.settle();
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(10, world.history(run).count(EventBody.TaskCompleted.class));
    }

    /** A state that was dropped and is loaded again says which attempts are open, not which are under way. */
    @Test
    void aReloadedRunHandsNothingOutTwice() {
        AtomicInteger calls = new AtomicInteger();
        ProgramBuilder wide = ProgramBuilder.dag("wide");
        for (int i = 0; i < 5; i++) {
            wide.task("t" + i, "test.count").edge("start", "t" + i);
        }
        EngineConfig config = EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withCache(1));
        SteppedNode node = world.node(config, World.handlers("test.count", call -> {
            calls.incrementAndGet();
            return TaskResult.ok(JsonNull.NULL);
        }));
        RunId run = start(node, world.publish(wide.build()));
        while (node.runHandler()) {
            node.settleLoops();
        }

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(5, calls.get());
    }

    @Test
    void aQuietRunLeavesASnapshot() {
        Published quiet = world.publish(ProgramBuilder.dag("quiet")
                .task("a", "core.echo")
                .timer("wait", Duration.ofDays(30))
                .edge("start", "a")
                .edge("a", "wait")
                .build());
        SteppedNode node = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withSnapshots(1_000, 3)),
                BuiltInActions.registry());
        RunId run = start(node, quiet);
        node.settle();

        assertEquals(
                world.row(run).lastSequence(),
                world.stored(run).snapshot().orElseThrow().sequence());
    }

    /** Each of its timers wakes it for a moment, and then it is quiet again: snapshots must not cost more than the log. */
    @Test
    void aQuietRunWithMuchOpenIsNotStoredAgainForEachThingThatHappens() throws Exception {
        int timers = 1_000;
        ProgramBuilder wide = ProgramBuilder.dag("wide");
        for (int i = 1; i <= timers; i++) {
            wide.timer("t" + i, Duration.ofMillis(100L * i)).edge("start", "t" + i);
        }
        SteppedNode node = world.node(EngineConfig.of("one"), BuiltInActions.registry());
        RunId run = start(node, world.publish(wide.build()));
        long newest = 0;
        long snapshots = 0;
        while (!world.row(run).status().isFinal()) {
            Optional<Snapshot> snapshot = world.stored(run).snapshot();
            if (snapshot.isPresent() && snapshot.get().sequence() > newest) {
                snapshots += snapshot.get().bytes().length;
                newest = snapshot.get().sequence();
            }
            world.clock.set(node.nextWake());
            node.settle();
        }
        long logged = world.ports.runs().entries(World.TENANT, run, 0, 10_000).stream()
                .mapToLong(entry -> entry.bytes().length)
                .sum();

        long stored = snapshots;
        assertTrue(stored < 2 * logged, () -> stored + " bytes of snapshots, " + logged + " of log");
        assertTrue(newest > timers, "and yet there were some");
    }
}
