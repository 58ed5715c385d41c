package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.PermitAcquired;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** cases.md 29: what a node or a worker had that was killed, another gets within the lease time: shards, slots of limits, permits. */
final class HolderStoryTest {
    private static final String FAR = "test.far";
    private static final Duration MOMENT = Duration.ofMillis(200);

    /** Of a node, until another has taken over; and of a worker that claims here. */
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private static final int SHARDS = 4;

    private final World world = new World(SHARDS);
    private final List<SteppedNode> nodes = new ArrayList<>();
    private final List<Instant> calls = new ArrayList<>();
    private final SteppedNode one = join("one");
    private final SteppedNode two = join("two");

    HolderStoryTest() {
        pass(Duration.ofSeconds(6));
        assertEquals(List.of(2, 2), List.of(shards(one), shards(two)));
    }

    /** A node with one place for either kind of action. */
    private SteppedNode join(String name) {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(describe(HANDLER), _ -> {
                    calls.add(world.clock.now());
                    return TaskResult.ok(JsonNull.NULL);
                })
                .remote(describe(FAR))
                .build();
        EngineConfig config = EngineConfig.of(name)
                .withMember(new Member(name, name + ".example:7070", "1"))
                .withTask(TaskConfig.DEFAULT.withLimits(
                        List.of(ActionLimit.atOnce(HANDLER, 1), ActionLimit.atOnce(FAR, 1))));
        SteppedNode node =
                new SteppedNode(world.clock, config, world.parts(handlers), waiting -> task -> execute(waiting, task));
        node.settleLoops();
        nodes.add(node);
        return node;
    }

    /** Letters to other nodes go at once; handlers wait until somebody lets them run. */
    private static void execute(Executor waiting, Runnable task) {
        if (task.getClass().getName().contains(".LetterPost$")) {
            task.run();
        } else {
            waiting.execute(task);
        }
    }

    private static ActionDescription describe(String action) {
        return new ActionDescription(new HandlerName(action), "For a test.", List.of());
    }

    /** All of them go on for so long, but no handler does. */
    private void pass(Duration time) {
        for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(MOMENT)) {
            world.clock.advance(MOMENT);
            settleLoops();
        }
    }

    private void settleLoops() {
        for (SteppedNode node : nodes) {
            node.node().remoteTasks().expire();
            node.settleLoops();
        }
    }

    private void kill(SteppedNode node) {
        World.crash(node);
        nodes.remove(node);
    }

    private static int shards(SteppedNode node) {
        return (int) node.node().loops().stream()
                .filter(loop -> loop.status() == ShardStatus.RUNNING)
                .count();
    }

    private static boolean has(SteppedNode node, Slot slot) {
        return node.node().load().shards().stream()
                .anyMatch(own -> own.shard().number() == slot.number() * SHARDS / Slot.COUNT);
    }

    /** Gets the only permit of the semaphore, does the work, and gives it back. */
    private Published critical(String semaphore, String action) {
        return world.publish(ProgramBuilder.dag("critical-" + semaphore)
                .retry(attempts(3))
                .timeout(Duration.ofHours(1))
                .permit("enter", semaphore, 1, 1, Duration.ofHours(1))
                .task("work", action)
                .release("leave", "enter")
                .edge("start", "enter")
                .edge("enter", "work")
                .edge("work", "leave")
                .build());
    }

    private Published plain(String action) {
        return world.publish(ProgramBuilder.dag("plain")
                .retry(attempts(3))
                .timeout(Duration.ofHours(1))
                .task("work", action)
                .edge("start", "work")
                .build());
    }

    private boolean hasPermit(RunId run) {
        return world.history(run).count(PermitAcquired.class) > 0;
    }

    /** Names of semaphores of which either node has one. */
    private List<String> semaphores() {
        List<String> names = new ArrayList<>();
        Set<Boolean> seen = new HashSet<>();
        for (int i = 0; seen.size() < 2; i++) {
            String name = "door-" + i;
            if (seen.add(has(one, Aggregates.semaphore(World.TENANT, name).slot()))) {
                names.add(name);
            }
        }
        return names;
    }

    private static List<RemoteTask> claim(SteppedNode node, String worker) {
        try {
            return node.node()
                    .remoteTasks()
                    .claim(
                            new RemoteClaim(World.TENANT, worker, List.of(new HandlerName(FAR)), 10, WITHIN),
                            Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static int running(SteppedNode node) {
        return node.node().load().tasks().running().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private void untilTheySucceed(List<RunId> runs) {
        for (int i = 0; i < 500 && !succeeded(runs); i++) {
            nodes.forEach(SteppedNode::settle);
            pass(MOMENT);
        }
        assertTrue(succeeded(runs), () -> runs.stream().map(world::row).toList().toString());
    }

    private boolean succeeded(List<RunId> runs) {
        return runs.stream().allMatch(run -> world.row(run).status() == RunStatus.SUCCEEDED);
    }

    /** Its place and the permits are its runs', which go on elsewhere; whoever waits gets them after those. */
    @Test
    void whatAKilledNodeHeldIsAnothersWithinTheLease() {
        List<RunId> holders = new ArrayList<>();
        List<RunId> waiting = new ArrayList<>();
        for (String semaphore : semaphores()) {
            Published critical = critical(semaphore, HANDLER);
            RunId holder = World.start(one, critical);
            pass(Duration.ofSeconds(5));
            assertTrue(hasPermit(holder), semaphore);
            holders.add(holder);
            waiting.add(World.start(one, critical));
            waiting.add(World.start(two, critical));
        }
        pass(Duration.ofSeconds(5));
        assertTrue(waiting.stream().noneMatch(this::hasPermit));
        assertEquals(1, one.waitingHandlers(), "one has the place, the other waits for it");
        assertEquals(0, two.waitingHandlers());

        kill(one);
        pass(WITHIN);

        assertEquals(SHARDS, shards(two));
        assertEquals(1, two.waitingHandlers(), "the place of the node that lives is taken once, by one of theirs");
        assertEquals(1, running(two));
        Instant taken = world.clock.now();
        untilTheySucceed(holders);
        untilTheySucceed(waiting);
        Duration took = Duration.between(taken, world.clock.now());
        assertTrue(took.compareTo(Duration.ofMinutes(1)) < 0, () -> "nobody waits for a permit's hour: " + took);
        assertEquals(
                holders.size() + waiting.size(), calls.size(), "what was killed before it was called was not called");
        assertEquals(0, running(two));
    }

    @Test
    void theOnlyPlaceOfAKilledWorkerIsAnothersWithinItsLease() {
        Published critical = critical("door", FAR);
        RunId holder = World.start(one, critical);
        pass(Duration.ofSeconds(5));
        RunId waits = World.start(one, critical);
        RunId plain = World.start(one, plain(FAR));
        pass(Duration.ofSeconds(5));
        List<RemoteTask> killed = claim(one, "killed");
        assertEquals(1, killed.size());
        pass(WITHIN.minusSeconds(1));
        assertEquals(List.of(), claim(one, "other"), "it may be at it still");

        pass(Duration.ofSeconds(2));

        List<RemoteTask> next = claim(one, "other");
        assertEquals(1, next.size(), "the place is free, and it is one");
        LimitStoryTest.succeed(one, next.getFirst());
        work(one, List.of(holder, waits, plain));
    }

    /** The place of a worker is counted by the node that handed out its task, and goes with it. */
    @Test
    void thePlaceOfAWorkerWhoseNodeIsKilledIsAnothersWithinTheLease() {
        RunId run = World.start(one, critical("door", FAR));
        pass(Duration.ofSeconds(5));
        assertEquals(1, claim(one, "outlives").size());
        RunId waits = World.start(two, critical("door", FAR));
        RunId plain = World.start(two, plain(FAR));

        kill(one);
        pass(WITHIN);

        List<RemoteTask> next = claim(two, "other");
        assertEquals(1, next.size(), "two wait, and there is one place");
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class), "the attempt that was out is lost");
        LimitStoryTest.succeed(two, next.getFirst());
        work(two, List.of(run, waits, plain));
    }

    /** Another worker does what comes, until these have succeeded. */
    private void work(SteppedNode node, List<RunId> runs) {
        for (int i = 0; i < 300 && !succeeded(runs); i++) {
            claim(node, "other").forEach(task -> LimitStoryTest.succeed(node, task));
            pass(MOMENT);
        }
        assertTrue(succeeded(runs), () -> runs.stream().map(world::row).toList().toString());
        assertEquals(0, running(node));
    }
}
