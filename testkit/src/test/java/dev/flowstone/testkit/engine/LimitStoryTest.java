package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.RemoteBeat;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteName;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Limits on actions: that they hold for handlers and for workers, that what waits is in nobody's way, and that none leaks. */
final class LimitStoryTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String FAR = "test.far";
    private static final String FREE = "other.free";

    private final World world = new World();
    private final List<Instant> calls = new CopyOnWriteArrayList<>();

    private HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(describe(HANDLER), _ -> {
                    calls.add(world.clock.now());
                    return TaskResult.ok(JsonNull.NULL);
                })
                .action(describe(FREE), _ -> TaskResult.ok(JsonNull.NULL))
                .remote(describe(FAR))
                .build();
    }

    private static ActionDescription describe(String action) {
        return new ActionDescription(new HandlerName(action), "For a test.", List.of());
    }

    private static EngineConfig config(String name, ActionLimit limit) {
        return EngineConfig.of(name).withTask(TaskConfig.DEFAULT.withLimits(List.of(limit)));
    }

    private SteppedNode node(ActionLimit limit) {
        return world.node(config("one", limit), handlers());
    }

    private static List<RemoteTask> claim(SteppedNode node, int most) {
        RemoteClaim claim = new RemoteClaim(World.TENANT, "worker", List.of(new HandlerName(FAR)), most, LEASE);
        try {
            return node.node().remoteTasks().claim(claim, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static RemoteTask claimOne(SteppedNode node) {
        List<RemoteTask> claimed = claim(node, 10);
        assertEquals(1, claimed.size());
        return claimed.getFirst();
    }

    private static RemoteName name(RemoteTask task) {
        return new RemoteName(
                new RunKey(World.TENANT, task.call().run()),
                task.call().activation(),
                task.call().attempt());
    }

    private static void ask(SteppedNode node, RunId run, Command command) {
        var _ = node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        new Actor("service", "worker"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "a correlation"));
        node.settleLoops();
    }

    static void succeed(SteppedNode node, RemoteTask task) {
        ask(
                node,
                task.call().run(),
                new Command.CompleteTask(
                        task.call().activation(), task.call().attempt(), new TaskAnswer.Ok(Payload.of(JsonNull.NULL))));
    }

    private static void cancel(SteppedNode node, RunId run) {
        ask(node, run, new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty()));
    }

    private static void pass(SteppedNode node, Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            node.advance(Duration.ofSeconds(1));
            node.node().remoteTasks().expire();
            node.settle();
        }
    }

    private static int running(SteppedNode node) {
        return node.node().load().tasks().running().values().iterator().next();
    }

    private static Program wide(String name, int tasks, String action) {
        ProgramBuilder program = ProgramBuilder.dag(name);
        for (int i = 0; i < tasks; i++) {
            program.task("t" + i, action).edge("start", "t" + i);
        }
        return program.build();
    }

    private RunId startOne(SteppedNode node, String action) {
        return start(
                node,
                world.publish(ProgramBuilder.dag("one")
                        .retry(attempts(3))
                        .timeout(LONG)
                        .task("t", action)
                        .edge("start", "t")
                        .build()));
    }

    @Test
    void aConnectorsLimitIsOneForHandlersAndWorkers() {
        SteppedNode node = node(ActionLimit.atOnce("test.*", 3));
        start(node, world.publish(wide("far", 5, FAR)));
        start(node, world.publish(wide("near", 5, HANDLER)));
        assertEquals(3, node.waitingHandlers(), "workers that are not there hold nothing");
        assertEquals(List.of(), claim(node, 10));

        assertTrue(node.runHandler());
        node.settleLoops();

        assertEquals(3, running(node));
        assertTrue(node.waitingHandlers() == 3 || claim(node, 10).size() == 1);
        startOne(node, FREE);
        assertEquals(4, node.waitingHandlers(), "what isn't under it isn't held up");
        node.settle();
        List<RemoteTask> claimed = claim(node, 10);
        assertEquals(3, claimed.size());
        claimed.forEach(task -> succeed(node, task));
        assertEquals(2, claim(node, 10).size());
    }

    @Test
    void noWayOutOfAWorkersHandsKeepsThePermit() {
        SteppedNode node = node(ActionLimit.atOnce(FAR, 1));
        startOne(node, FAR);
        RemoteTask first = claimOne(node);
        assertEquals(1, running(node));
        node.node().remoteTasks().giveBack(name(first), first.lease());
        assertEquals(0, running(node));
        node.settle();

        claimOne(node);
        pass(node, LEASE.plusSeconds(1));
        assertEquals(0, running(node), "its worker was silent");

        RemoteTask third = claimOne(node);
        cancel(node, third.call().run());
        assertEquals(1, running(node), "it is canceled, and its worker still at it");
        succeed(node, third);
        assertEquals(0, running(node));

        RunId waits = startOne(node, FAR);
        cancel(node, waits);
        assertEquals(RunStatus.CANCELED, world.row(waits).status());
        startOne(node, FAR);
        claimOne(node);
        node.node().beginStop();
        node.settle();
        node.node().giveBack();
        node.settle();
        assertEquals(0, running(node), "its node gave it back");
    }

    @Test
    void aTimeoutInAWorkersHandsFreesThePermit() {
        SteppedNode node = node(ActionLimit.atOnce("test.*", 1));
        start(
                node,
                world.publish(ProgramBuilder.dag("short")
                        .retry(attempts(2))
                        .timeout(Duration.ofSeconds(5))
                        .task("t", FAR)
                        .edge("start", "t")
                        .build()));
        claimOne(node);
        pass(node, Duration.ofSeconds(8));

        assertEquals(2, claimOne(node).call().attempt());
        assertEquals(1, running(node));
    }

    @Test
    void aShardThatIsLostTakesItsPermitsAlong() {
        SteppedNode node = node(ActionLimit.atOnce("test.*", 1));
        startOne(node, FAR);
        claimOne(node);

        World.crash(node);

        assertEquals(0, running(node));
    }

    @Test
    void aWorkerThatOutlivesItsNodeIsCountedAtTheNextOne() {
        SteppedNode before = node(ActionLimit.atOnce(FAR, 1));
        startOne(before, FAR);
        startOne(before, FAR);
        RemoteTask task = claimOne(before);
        before.node().beginStop();
        before.settle();
        before.node().giveBack();
        before.settle();
        before.node().release();
        SteppedNode after = node(ActionLimit.atOnce(FAR, 1));

        assertInstanceOf(RemoteBeat.Held.class, after.node().remoteTasks().heartbeat(name(task), task.lease(), LEASE));

        assertEquals(1, running(after));
        assertEquals(List.of(), claim(after, 10));
        succeed(after, task);
        claimOne(after);
    }

    @Test
    void whatIsCanceledWhileItWaitsForAPlaceIsOutAtOnce() {
        SteppedNode node = node(ActionLimit.atOnce(HANDLER, 1));
        RunId first = startOne(node, HANDLER);
        RunId second = startOne(node, HANDLER);
        RunId third = startOne(node, HANDLER);

        cancel(node, second);
        assertEquals(RunStatus.CANCELED, world.row(second).status());
        assertEquals(1, node.waitingHandlers());
        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(first).status());
        assertEquals(RunStatus.SUCCEEDED, world.row(third).status());
        assertEquals(2, calls.size());
        assertEquals(0, running(node));
    }

    @Test
    void aRateSpreadsWhatBeginsOverTime() {
        SteppedNode node = node(new ActionLimit("test.*", 0, 2));
        RunId run = start(node, world.publish(wide("wide", 5, HANDLER)));
        Instant begin = world.clock.now();

        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofSeconds(10));

        List<Duration> after =
                calls.stream().map(call -> Duration.between(begin, call)).toList();
        assertEquals(
                List.of(0L, 500L, 1_000L, 1_500L, 2_000L),
                after.stream().map(Duration::toMillis).toList());
    }
}
