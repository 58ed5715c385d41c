package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whole scopes are held and let go: by every shard, by whoever has it (R25). */
final class WideHoldStoryTest {
    private static final Actor ANN = new Actor("user", "ann");
    private static final SettingScope TYPE = new SettingScope.Workflow(World.TENANT, new WorkflowId("held"));
    private static final SettingScope SYSTEM = new SettingScope.Everything();
    private static final HoldPolicy REJECT = new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.REJECT);
    private static final int MANY = 450;

    private final World world = new World();
    private final List<RunId> called = new ArrayList<>();
    private final HandlerRegistry handlers = World.handlers("test.count", call -> {
        called.add(call.run());
        return TaskResult.ok(JsonNull.NULL);
    });
    private final Program held = task("held");
    private final Program free = task("free");

    private static Program task(String name) {
        return ProgramBuilder.dag(name)
                .retry(new Retry(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false))
                .task("t", "test.count")
                .edge("start", "t")
                .build();
    }

    private SteppedNode node(String name) {
        return world.node(EngineConfig.of(name), handlers);
    }

    private RunId start(SteppedNode node, Program program) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(program).start());
        node.settleLoops();
        return World.started(answer);
    }

    private static SettingRequest suspend(SettingScope scope) {
        return SettingRequest.suspend(scope, HoldPolicy.DEFAULT, "audit", ANN);
    }

    private static SettingRequest resume(SettingScope scope) {
        return SettingRequest.resume(scope, "done", ANN);
    }

    /** By the node's own door. */
    private static long change(SteppedNode node, SettingRequest request) {
        try {
            return node.node().control().change(request);
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    /** By another node's. */
    private void elsewhere(SettingRequest request) {
        try {
            world.ports.settings().append(request);
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    private List<Long> acknowledged() {
        try {
            return world.ports.settings().acknowledgements().stream()
                    .map(ShardAcknowledgement::number)
                    .toList();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    private RunStatus status(RunId run) {
        return world.row(run).status();
    }

    @Test
    void nothingIsCalledForAHeldTypeWhileOthersGoOn() {
        SteppedNode node = node("one");
        long number = change(node, suspend(TYPE));
        node.settle();
        assertEquals(List.of(number), acknowledged());

        RunId stuck = start(node, held);
        RunId other = start(node, free);
        node.advance(Duration.ofHours(1));

        assertEquals(List.of(other), called);
        assertEquals(RunStatus.SUCCEEDED, status(other));
        assertEquals(RunStatus.RUNNING, status(stuck));

        change(node, resume(TYPE));
        node.settle();

        assertEquals(List.of(other, stuck), called);
        assertEquals(RunStatus.SUCCEEDED, status(stuck));
        assertEquals(0, world.history(other).count(ControlEvent.HoldImposed.class));
    }

    @Test
    void whatWaitsForAHandlerIsTakenBackBeforeTheShardAcknowledges() {
        SteppedNode node = node("one");
        RunId run = start(node, held);
        assertEquals(1, node.waitingHandlers());

        long number = change(node, suspend(TYPE));
        ShardLoop loop = node.node().loops().iterator().next();
        loop.step();
        assertEquals(List.of(0L), acknowledged(), "it may still have been on its way");
        node.settleLoops();

        assertEquals(List.of(number), acknowledged());
        assertEquals(1, world.history(run).count(ControlEvent.HoldImposed.class));
        node.settle();
        assertEquals(List.of(), called);

        change(node, resume(TYPE));
        node.settle();

        assertEquals(List.of(run), called);
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class), "it used up no try");
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void aHandlerThatHasBegunEndsAndItsAnswerWaits() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        assertTrue(node.runHandler());
        change(node, suspend(TYPE));
        node.settle();

        assertEquals(1, called.size());
        assertEquals(1, world.history(run).count(ControlEvent.InputBuffered.class));

        change(node, resume(TYPE));
        node.settle();
        assertEquals(2, called.size());
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    /** In one turn its answer is decided, which schedules the next task, and then it is suspended. */
    @Test
    void whatWasScheduledInTheTurnOfASuspensionIsNotHandedOut() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        assertTrue(node.runHandler());
        call(node, run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
        node.settle();
        assertEquals(1, called.size());

        call(node, run, new ControlCommand.ResumeRun("done"));
        node.settle();
        assertEquals(2, called.size());
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class), "it used up no try");
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void whatAnotherNodeSetIsHeardWithinHalfASecond() {
        SteppedNode node = node("one");
        elsewhere(suspend(TYPE));
        node.advance(Duration.ofMillis(500));

        assertEquals(List.of(1L), acknowledged());
        start(node, held);
        node.settle();
        assertEquals(List.of(), called);

        elsewhere(resume(TYPE));
        node.advance(Duration.ofMillis(500));
        assertEquals(1, called.size());
    }

    @Test
    void whoeverTakesAShardOverKnowsTheSettingsBeforeItDecides() {
        SteppedNode before = node("one");
        RunId run = start(before, held);
        elsewhere(suspend(TYPE));

        // The same name takes its shards at once; nobody but the shard itself reads the settings.
        EngineNode node =
                new EngineNode(EngineConfig.of("one"), world.parts(handlers).withExecutor(Runnable::run));
        node.keepLeases();
        for (ShardLoop loop : node.loops()) {
            while (loop.step()) {}
        }

        assertEquals(List.of(), called);
        assertEquals(List.of(1L), acknowledged());
        assertEquals(1, world.history(run).count(ControlEvent.HoldImposed.class));

        SteppedNode after = node("one");
        change(after, resume(TYPE));
        after.advance(Duration.ofHours(1));
        assertEquals(List.of(run), called);
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void aShardThatDoesNotStepAcknowledgesNothing() throws Exception {
        World two = new World(2);
        SteppedNode node = two.node(EngineConfig.of("one"), handlers);
        long number = node.node().control().change(suspend(SYSTEM));
        List<ShardLoop> loops = List.copyOf(node.node().loops());
        ShardLoop living = loops.getFirst();
        ShardLoop zombie = loops.getLast();
        while (living.step()) {}

        List<ShardAcknowledgement> missing = node.node().control().await(number, Duration.ZERO);

        assertEquals(
                List.of(zombie.lease().shard().id()),
                missing.stream().map(ShardAcknowledgement::shard).toList());
        node.settle();
        assertEquals(List.of(), node.node().control().await(number, Duration.ZERO));
    }

    /** Nobody waited for its acknowledgement while its lease had run out. */
    @Test
    void aShardWhoseLeaseHadRunOutReadsBeforeItDecides() {
        SteppedNode node = node("one");
        world.clock.advance(Duration.ofMinutes(1));
        elsewhere(suspend(TYPE));
        assertEquals(List.of(), acknowledged());

        var _ = node.node().keepLeases();
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(held).start());
        node.node().loops().forEach(loop -> {
            while (loop.step()) {
                assertEquals(List.of(), called);
            }
        });
        assertEquals(1, world.history(World.started(answer)).count(ControlEvent.HoldImposed.class));
        assertEquals(List.of(1L), acknowledged());
    }

    /** Runs that go on and on leave something to do in every round. */
    @Test
    void aReleasedRunIsWokenThoughAnotherOneKeepsTheShardBusy() {
        SteppedNode node = world.node(
                EngineConfig.of("one").withBounds(new Bounds(1, 1_000, 1 << 20, 32 << 10, 5_000_000)), handlers);
        change(node, suspend(TYPE));
        node.settle();
        RunId released = start(node, held);
        ProgramBuilder chain = ProgramBuilder.dag("long");
        for (int i = 0; i < 300; i++) {
            chain.assign("c" + i, Map.of()).edge(i == 0 ? "start" : "c" + (i - 1), "c" + i);
        }
        CompletableFuture<StartAnswer> busy =
                node.node().start(world.publish(chain.build()).start());
        node.stepLoops();
        change(node, resume(TYPE));
        for (int i = 0; i < 60; i++) {
            node.stepLoops();
        }

        assertEquals(1, node.waitingHandlers(), "the released run's task is handed out");
        assertEquals(RunStatus.RUNNING, status(World.started(busy)));
        assertEquals(RunStatus.RUNNING, status(released));
    }

    @Test
    void aReleaseWakesAllInPagesAndInOrder() {
        SteppedNode node = node("one");
        change(node, suspend(SYSTEM));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            runs.add(start(node, held));
        }
        node.settle();
        assertEquals(List.of(), called);

        change(node, resume(SYSTEM));
        node.settle();

        assertEquals(runs.stream().sorted(Comparator.naturalOrder()).toList(), called);
        runs.forEach(run -> assertEquals(RunStatus.SUCCEEDED, status(run)));
    }

    @Test
    void aReleaseThatWasInterruptedIsFinishedByTheNextOwner() {
        SteppedNode node = node("one");
        change(node, suspend(SYSTEM));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            runs.add(start(node, held));
        }
        change(node, resume(SYSTEM));
        ShardLoop loop = node.node().loops().iterator().next();
        loop.step();
        loop.step();

        SteppedNode next = node("one");
        next.advance(Duration.ofHours(1));

        runs.forEach(run -> assertEquals(RunStatus.SUCCEEDED, status(run)));
        assertEquals(MANY, called.size());
    }

    @Test
    void aRunThatSleptThroughAHoldFreezesItsTimerExactly() {
        SteppedNode node = node("one");
        Program waits = ProgramBuilder.dag("held")
                .timer("w", Duration.ofMinutes(60))
                .edge("start", "w")
                .build();
        RunId run = start(node, waits);
        node.advance(Duration.ofMinutes(10));
        change(node, suspend(TYPE));
        node.advance(Duration.ofMinutes(20));
        change(node, resume(TYPE));
        node.advance(Duration.ofMinutes(45));

        assertEquals(RunStatus.RUNNING, status(run), "75 of 60 minutes, of which 20 don't count");
        node.advance(Duration.ofMinutes(5));
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void aStartIsRefusedWhereCallersAre() {
        SteppedNode node = node("one");
        change(node, SettingRequest.suspend(TYPE, REJECT, "audit", ANN));
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(held).start());
        node.settle();

        assertEquals(
                "SUSPENDED",
                assertInstanceOf(StartAnswer.Refused.class, answer.getNow(null)).code());
    }

    @Test
    void aRunThatIsResumedItselfGoesOnUntilTheNextSetting() {
        SteppedNode node = node("one");
        change(node, suspend(TYPE));
        RunId run = start(node, held);
        node.settle();

        call(node, run, new ControlCommand.ResumeRun("just this one"));
        node.settle();

        assertEquals(List.of(run), called);
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void aDrainLetsWhatWasCalledAnswerAndCallsNothingNew() {
        SteppedNode node = node("one");
        Program two = ProgramBuilder.dag("held")
                .task("a", "test.count")
                .task("b", "test.count")
                .edge("start", "a")
                .edge("a", "b")
                .build();
        RunId run = start(node, two);
        change(node, SettingRequest.drain(TYPE, HoldPolicy.DEFAULT, Duration.ofHours(1), "upgrade", ANN));
        node.settle();

        assertEquals(1, called.size());
        assertEquals(RunStatus.RUNNING, status(run));
        node.advance(Duration.ofHours(2));
        assertEquals(1, called.size());

        change(node, resume(TYPE));
        node.settle();
        assertEquals(2, called.size());
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    @Test
    void whatWasOverBeforeARunBeganIsNotRecorded() {
        SteppedNode node = node("one");
        change(node, suspend(SYSTEM));
        change(node, resume(SYSTEM));
        world.clock.advance(Duration.ofSeconds(1));
        RunId run = start(node, held);
        node.settle();

        assertEquals(0, world.history(run).count(ControlEvent.HoldImposed.class));
        assertEquals(0, world.history(run).count(ControlEvent.HoldLifted.class));
        assertEquals(List.of(run), called);
    }

    @Test
    void whereNothingIsSetARoundAsksNobody() {
        AtomicInteger asked = new AtomicInteger();
        Ports ports = withSettings(counting(world.ports.settings(), asked));
        SteppedNode node = new SteppedNode(
                world.clock, EngineConfig.of("one"), EngineParts.of(ports, new ScriptExpressions(), handlers));
        node.settle();
        int before = asked.get();
        for (int i = 0; i < 10; i++) {
            start(node, held);
        }
        node.settle();

        assertEquals(10, called.size());
        assertEquals(before, asked.get());
    }

    private static Settings counting(Settings settings, AtomicInteger asked) {
        return new Settings() {
            @Override
            public List<ScopeSetting> append(SettingRequest request) throws JournalException {
                asked.incrementAndGet();
                return settings.append(request);
            }

            @Override
            public List<ScopeSetting> after(long number, int limit) throws JournalException {
                asked.incrementAndGet();
                return settings.after(number, limit);
            }

            @Override
            public void acknowledge(dev.flowstone.engine.lease.Lease lease, long number) throws JournalException {
                asked.incrementAndGet();
                settings.acknowledge(lease, number);
            }

            @Override
            public List<ShardAcknowledgement> acknowledgements() throws JournalException {
                asked.incrementAndGet();
                return settings.acknowledgements();
            }
        };
    }

    private Ports withSettings(Settings settings) {
        Ports ports = world.ports;
        return new Ports(
                ports.journal(),
                ports.leases(),
                ports.outbox(),
                ports.inbox(),
                ports.runs(),
                ports.humanTasks(),
                ports.feed(),
                ports.workflows(),
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                settings,
                ports.policies());
    }

    private static void call(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        ANN,
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.digest(command.toString().getBytes(StandardCharsets.UTF_8)),
                        "outside"));
        node.settleLoops();
        assertFalse(answer.getNow(null) instanceof CallAnswer.Busy, () -> "not " + answer.getNow(null));
    }
}
