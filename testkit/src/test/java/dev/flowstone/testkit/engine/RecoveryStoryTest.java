package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What happens when a shard changes hands: crashes, takeovers, zombies, damage. */
final class RecoveryStoryTest {
    private static final Retry TWICE = new Retry(2, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false);

    private final World world = new World();
    private final Published work = world.publish(ProgramBuilder.dag("work")
            .retry(TWICE)
            .task("a", "core.echo")
            .task("b", "core.echo")
            .edge("start", "a")
            .edge("a", "b")
            .build());

    private RunId start(SteppedNode node, Published program) {
        CompletableFuture<StartAnswer> answer = node.node().start(program.start());
        node.settleLoops();
        return World.started(answer);
    }

    /** The process is gone: nothing of it runs any more and nothing was said to anybody. */
    private static void crash(SteppedNode node) {
        node.node().loops().forEach(loop -> loop.end("crashed"));
    }

    @Test
    void anAttemptThatDiedWithItsNodeIsLostAndTheNextOneFollowsAtOnce() {
        SteppedNode before = world.node("one");
        RunId run = start(before, work);
        assertEquals(1, before.waitingHandlers());
        crash(before);

        SteppedNode after = world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        History history = world.history(run);
        assertEquals(
                List.of(1, 2, 1),
                history.all(EventBody.TaskScheduled.class).stream()
                        .map(EventBody.TaskScheduled::attempt)
                        .toList());
        assertEquals(2, history.count(EventBody.TaskCompleted.class));
        assertTrue(after.node().ready());
    }

    @Test
    void aHandlerThatKillsItsNodeUsesUpItsAttempts() {
        RunId run = start(world.node("one"), work);
        for (int i = 0; i < 2; i++) {
            SteppedNode node =
                    new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()));
            node.settleLoops();
            crash(node);
        }
        world.node("one");

        assertEquals(RunStatus.FAILED, world.row(run).status());
    }

    /** What was given back once is no free ticket: out again, it is an attempt like any other. */
    @Test
    void anAttemptThatIsHandedOutAgainIsLostWithItsNode() {
        SteppedNode stopped = world.node("one");
        RunId run = start(stopped, work);
        stopped.node().beginStop();
        stopped.node().giveBack();
        stopped.settleLoops();
        stopped.node().release();
        assertEquals(1, world.history(run).count(EventBody.TaskReturned.class));

        SteppedNode crashed =
                new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()));
        while (crashed.waitingHandlers() == 0) {
            assertEquals(0, world.history(run).count(EventBody.TaskHandedOut.class), "recorded before it goes out");
            crashed.stepLoops();
        }
        assertEquals(1, world.history(run).count(EventBody.TaskHandedOut.class));
        crash(crashed);
        world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                List.of(1, 2, 1),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(EventBody.TaskScheduled::attempt)
                        .toList());
        assertEquals(
                List.of("ATTEMPT_LOST"),
                world.history(run).all(EventBody.TaskFailed.class).stream()
                        .map(failed -> failed.error().code())
                        .toList());
    }

    /** However often a node that is stopped before it got that far: nothing is used up. */
    @Test
    void aNodeThatStopsBeforeItHandsOutUsesUpNothing() {
        SteppedNode stopped = world.node("one");
        RunId run = start(stopped, work);
        for (int i = 0; i < 5; i++) {
            stopped.node().beginStop();
            stopped.node().giveBack();
            stopped.settleLoops();
            stopped.node().release();
            stopped = new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()));
            for (int step = 0; step < i; step++) {
                stopped.stepLoops();
            }
        }
        stopped.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
    }

    /** A loop may be in the middle of a commit when its node stops or its shard is won again. */
    @Test
    void aShardThatIsEndedDuringItsCommitSaysWhatIsTrueAndHandsOutNothing() throws InterruptedException {
        SteppedNode node = world.node("one");
        CountDownLatch durable = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        world.journal.once((commit, to) -> {
            Committed committed = to.commit(commit);
            durable.countDown();
            awaitUninterruptibly(over);
            return committed;
        });
        CompletableFuture<StartAnswer> answer = node.node().start(work.start());
        Thread loop = Thread.ofPlatform().start(node::stepLoops);
        durable.await();
        crash(node);
        assertFalse(answer.isDone(), "nobody knows yet");
        over.countDown();
        loop.join();

        assertEquals(RunStatus.RUNNING, world.row(World.started(answer)).status());
        assertEquals(0, node.waitingHandlers());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A program that this release can't read stops its own runs, not their shard. */
    @Test
    void aProgramThatCannotBeReadStopsNobodyElse() throws JournalException {
        SteppedNode before = world.node("one");
        RunId healthy = start(before, work);
        Published future = ofTheFuture();
        before.node().programs().put(World.TENANT, future.hash(), future.program());
        RunId stuck = start(before, future);
        crash(before);

        SteppedNode after = world.node("one");

        assertTrue(after.node().ready());
        assertEquals(RunStatus.SUCCEEDED, world.row(healthy).status());
        assertEquals(RunStatus.RUNNING, world.row(stuck).status());
        assertEquals(1, after.node().setAside().size());
    }

    @Test
    void aPageThatIsReadTwiceLosesNoAttemptThatWasHandedOutMeanwhile() {
        Published other = world.publish(ProgramBuilder.sequence("other", 1, "core.echo"));
        SteppedNode before = world.node("one");
        RunId first = start(before, work);
        world.clock.advance(Duration.ofSeconds(1));
        start(before, other);
        crash(before);
        Ports ports = new Ports(
                world.ports.journal(),
                world.ports.leases(),
                world.ports.outbox(),
                world.ports.inbox(),
                world.ports.runs(),
                world.ports.humanTasks(),
                world.ports.feed(),
                new FaultyPrograms(world.ports.workflows(), other.hash()),
                world.clock);
        SteppedNode after = new SteppedNode(
                world.clock,
                EngineConfig.of("one"),
                EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()));

        for (int i = 0; i < 20; i++) {
            after.settleLoops();
            world.clock.advance(Duration.ofMillis(100));
        }

        assertTrue(after.node().ready());
        assertEquals(1, world.history(first).count(EventBody.TaskFailed.class));
        assertEquals(RunStatus.RUNNING, world.row(first).status());
        assertEquals(1, after.waitingHandlers());
    }

    private Published ofTheFuture() throws JournalException {
        Program program = ProgramBuilder.dag("future")
                .task("a", "core.echo")
                .edge("start", "a")
                .build();
        byte[] bytes = "{\"form\":99}".getBytes(StandardCharsets.UTF_8);
        Sha256 hash = Sha256.digest(bytes);
        WorkflowRow row = new WorkflowRow(
                World.TENANT,
                program.workflow(),
                "future",
                Optional.empty(),
                WorkflowStatus.ACTIVE,
                true,
                1,
                1,
                Optional.empty(),
                world.clock.now(),
                world.clock.now(),
                0);
        WorkflowVersion version =
                new WorkflowVersion(World.TENANT, program.workflow(), 1, bytes, hash, hash, bytes, world.clock.now());
        assertTrue(world.ports.workflows().save(row, 0, Optional.of(version)).isPresent());
        return new Published(World.TENANT, program, hash, 1);
    }

    @Test
    void manyRunsAreTakenUpInPages() {
        SteppedNode before = world.node("one");
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 57; i++) {
            runs.add(start(before, work));
        }
        crash(before);

        SteppedNode after = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatch(10)), BuiltInActions.registry());

        assertTrue(after.node().ready());
        for (RunId run : runs) {
            assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        }
    }

    @Test
    void aZombieLosesAtTheCommitAndTheTakeoverGoesOn() {
        SteppedNode zombie = world.node("one");
        RunId run = start(zombie, work);
        SteppedNode owner =
                new SteppedNode(world.clock, EngineConfig.of("two"), world.parts(BuiltInActions.registry()));
        owner.settle();
        assertFalse(owner.node().ready(), "the lease is held");

        // The zombie hangs: it neither renews nor looks at its clock, until the other node has taken over.
        world.clock.advance(Duration.ofSeconds(16));
        owner.settle();
        assertTrue(owner.node().ready());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        long events = world.row(run).lastSequence();

        CompletableFuture<StartAnswer> late = zombie.node().start(work.start());
        assertTrue(zombie.runHandler());
        zombie.settle();

        assertInstanceOf(StartAnswer.Busy.class, late.getNow(null));
        assertEquals(events, world.row(run).lastSequence());
        assertEquals(2, world.history(run).count(EventBody.TaskCompleted.class));
    }

    @Test
    void aStaleEpochEndsTheShardWhateverItsClockSays() {
        SteppedNode zombie = world.node("one");
        RunId run = start(zombie, work);
        // The same name takes it over: a new epoch, with the old loop's lease not yet run out by its clock.
        SteppedNode owner = world.node("one");
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());

        CompletableFuture<StartAnswer> late = zombie.node().start(work.start());
        zombie.node().loops().forEach(loop -> loop.step());

        assertInstanceOf(StartAnswer.Busy.class, late.getNow(null));
        assertTrue(owner.node().ready());
    }

    @Test
    void aShardThatWasLostIsTakenAgainWhenItIsFree() {
        SteppedNode one = world.node("one");
        world.clock.advance(Duration.ofSeconds(16));
        SteppedNode two = world.node("two");
        one.settle();
        assertFalse(one.node().ready());
        two.node().beginStop();
        two.node().giveBack();
        two.settle();
        two.node().release();

        one.advance(Duration.ofSeconds(10));
        one.advance(Duration.ofSeconds(10));

        assertTrue(one.node().ready());
    }

    @Test
    void anOutageLongerThanTheLeaseLosesNoAttemptIfNobodyTookTheShard() {
        SteppedNode node = world.node("one");
        RunId run = start(node, work);
        world.journal.cut();
        node.stepLoops();
        // The node can't renew either: nothing calls it for a minute.
        world.clock.advance(Duration.ofMinutes(1));
        node.node().loops().forEach(loop -> loop.step());
        assertFalse(node.node().ready());
        assertInstanceOf(StartAnswer.Busy.class, node.node().start(work.start()).getNow(null));
        world.journal.heal();

        node.settle();

        assertTrue(node.node().ready());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class), "the same attempts");
    }

    @Test
    void anIdleShardNoticesThatTheDatabaseIsBack() {
        SteppedNode node = world.node("one");
        world.journal.cut();
        node.advance(Duration.ofSeconds(2));
        assertFalse(node.node().ready());
        world.journal.heal();
        node.advance(Duration.ofSeconds(3));

        assertTrue(node.node().ready());
    }

    @Test
    void aDamagedRunStandsStillAndNobodyElse() {
        SteppedNode before = world.node("one");
        RunId damaged = start(before, work);
        RunId healthy = start(before, work);
        crash(before);
        world.database.corrupt(new RunKey(World.TENANT, damaged), 0, 40);

        SteppedNode after = world.node("one");

        assertEquals(RunStatus.SUCCEEDED, world.row(healthy).status());
        assertEquals(RunStatus.RUNNING, world.row(damaged).status());
        assertEquals(1, after.node().setAside().size());
        assertTrue(after.node().ready());
    }

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

    @Test
    void everyPointOfACrashEndsInTheSameHistoryOfSteps() {
        for (int point = 0; point < 12; point++) {
            World fresh = new World();
            Published five = fresh.publish(ProgramBuilder.dag("five")
                    .retry(new Retry(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false))
                    .task("a", "core.echo")
                    .task("b", "core.echo")
                    .task("c", "core.echo")
                    .edge("start", "a")
                    .edge("a", "b")
                    .edge("b", "c")
                    .build());
            SteppedNode first = fresh.node("one");
            CompletableFuture<StartAnswer> answer = first.node().start(five.start());
            for (int i = 0; i < point; i++) {
                var _ = i % 2 == 0 ? first.stepLoops() : first.runHandler();
            }
            crash(first);
            SteppedNode second = fresh.node("one");
            second.advance(Duration.ofSeconds(10));

            if (answer.getNow(null) instanceof StartAnswer.Started started) {
                assertEquals(RunStatus.SUCCEEDED, fresh.row(started.run()).status());
                assertEquals(3, fresh.history(started.run()).count(EventBody.TaskCompleted.class));
            }
        }
    }
}
