package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.journal.StoredRun;
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
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** States that were dropped come back from snapshots and tails as they were. */
final class SnapshotStoryTest {
    /** About what 200 events come to, which a snapshot waits for in any case. */
    private static final int ENOUGH = 64 << 10;

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
        List<Integer> sizes = new ArrayList<>();
        long newest = 0;
        while (!world.row(run).status().isFinal()) {
            StoredRun stored = world.stored(run);
            Optional<Snapshot> snapshot = stored.snapshot();
            if (snapshot.isPresent() && snapshot.get().sequence() > newest) {
                sizes.add(snapshot.get().bytes().length);
                newest = snapshot.get().sequence();
            }
            long tail = bytes(stored.tail());
            long most = Math.max(ENOUGH, sizes.isEmpty() ? 0 : sizes.getLast());
            assertTrue(sizes.isEmpty() || tail <= most, () -> tail + " bytes of tail, at most " + most);
            world.clock.set(node.nextWake());
            node.settle();
        }
        long logged = bytes(world.ports.runs().entries(World.TENANT, run, 0, 10_000));
        long stored = sizes.stream().mapToLong(size -> size).sum();
        assertTrue(stored < 2 * logged, () -> stored + " bytes of snapshots, " + logged + " of log");
        assertTrue(sizes.size() > 1, "and yet there are several");
    }

    /** A wide part is over and forgotten: what is left is small, and so is what is read to take the run up. */
    @Test
    void aRunThatHasShrunkIsStoredAnewSoon() throws Exception {
        String items = IntStream.range(0, 600).mapToObj(String::valueOf).collect(Collectors.joining(", "));
        Published shrinks = world.publish(ProgramText.program("""
                id: shrinks
                flow:
                  all: {each: [%s], window: 600, join: joined, branch: {flow: {t: {timer: 1m, to: joined}}}}
                  joined: {join: {}, to: pause}
                  pause: {timer: 1h, to: pause}
                """.formatted(items)));
        SteppedNode node = world.node(EngineConfig.of("one"), BuiltInActions.registry());
        RunId run = start(node, shrinks);
        node.settle();
        int wide = snapshotBytes(run);
        Instant end = world.clock.now().plus(Duration.ofHours(60));
        while (world.clock.now().isBefore(end)) {
            world.clock.set(node.nextWake());
            node.settle();
        }

        int narrow = snapshotBytes(run);
        assertTrue(narrow < wide / 2, () -> wide + " bytes, then " + narrow);
    }

    private int snapshotBytes(RunId run) {
        return world.stored(run).snapshot().orElseThrow().bytes().length;
    }

    private static long bytes(List<StoredEntry> entries) {
        return entries.stream().mapToLong(entry -> entry.bytes().length).sum();
    }
}
