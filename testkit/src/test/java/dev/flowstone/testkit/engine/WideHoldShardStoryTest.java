package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whole scopes are held and let go by every shard, by whoever has it (R25). */
final class WideHoldShardStoryTest extends WideHoldStories {
    private static final int MANY = 450;

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

        ScopeControl.Heeding heeding = node.node().control().await(number, Duration.ZERO);

        assertFalse(heeding.byAll());
        assertEquals(
                List.of(zombie.lease().shard().id()),
                heeding.missing().stream().map(ShardAcknowledgement::shard).toList());
        node.settle();
        assertEquals(
                new ScopeControl.Heeding(true, List.of()), node.node().control().await(number, Duration.ZERO));
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

    /** Another thread reads settings, at any moment. What was decided without one is handed out to nobody after it. */
    @Test
    void nothingIsHandedOutThatASuspensionForbidsWhichTheNodeLearnsOfDuringTheCommit() {
        // Its handlers are called at once: what is handed out can't be taken back.
        EngineNode node =
                new EngineNode(EngineConfig.of("one"), world.parts(handlers).withExecutor(Runnable::run));
        step(node);
        world.journal.once((commit, to) -> {
            Committed committed = to.commit(commit);
            elsewhere(suspend(TYPE));
            node.readSettings();
            return committed;
        });

        CompletableFuture<StartAnswer> answer = node.start(world.publish(held).start());
        step(node);

        RunId run = World.started(answer);
        assertEquals(List.of(), called);
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class), "it was decided before");
        assertEquals(1, world.history(run).count(ControlEvent.HoldImposed.class));
        assertEquals(List.of(1L), acknowledged());

        elsewhere(resume(TYPE));
        node.readSettings();
        step(node);
        assertEquals(List.of(run), called);
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class), "it used up no try");
        assertEquals(RunStatus.SUCCEEDED, status(run));
    }

    private static void step(EngineNode node) {
        node.keepLeases();
        for (ShardLoop loop : node.loops()) {
            while (loop.step()) {}
        }
    }
}
