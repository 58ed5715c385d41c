package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.crash;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Of two nodes one owns a shard: zombies lose at the commit, and what was lost is taken again. */
final class TakeoverStoryTest {
    private final World world = new World();
    private final Published work = world.publish(SmallPrograms.work());

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

    /** What comes for it then lies there until the lease is prolonged: it must not step again and again for that. */
    @Test
    void aShardWhoseLeaseIsOverDoesNotWaitForItsHandlers() throws InterruptedException {
        SteppedNode node = world.node("one");
        var _ = node.node().start(work.start());
        var _ = node.node().start(work.start());
        ShardLoop loop = node.node().loops().iterator().next();
        loop.step();
        assertTrue(node.runHandler());
        assertTrue(node.runHandler());
        assertTrue(loop.awaitResults(), "both are there");

        world.clock.advance(Duration.ofMinutes(1));

        assertFalse(loop.awaitResults());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
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

    /** Its successor may have decided the very same by then, and have handed out what follows. */
    @Test
    void aZombieThatReadsWhatBecameOfItsCommitTakesNothingForItsOwn() {
        SteppedNode zombie = world.node("one");
        world.journal.once((commit, to) -> {
            to.commit(commit);
            throw new JournalException.UnknownOutcome("the connection broke in COMMIT");
        });
        CompletableFuture<StartAnswer> answer = zombie.node().start(work.start());
        zombie.stepLoops();
        var _ = new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(BuiltInActions.registry()))
                .node()
                .keepLeases();

        world.clock.advance(Duration.ofSeconds(1));
        zombie.node().loops().forEach(loop -> loop.step());

        assertInstanceOf(StartAnswer.Busy.class, answer.getNow(null));
        assertEquals(0, zombie.waitingHandlers());
    }

    /** It doesn't know yet that it is one, and reads what its successor has decided. */
    @Test
    void aZombieThatReadsARunHandsOutNothingOfIt() {
        SteppedNode zombie = world.node("one");
        SteppedNode owner = world.node("one");
        RunId run = start(owner, work);
        assertEquals(1, owner.waitingHandlers());

        CompletableFuture<CallAnswer> answer = zombie.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        new Command.CompleteTask(new ActivationId(new NodeId("b"), 1), 1, new TaskAnswer.Skipped("no")),
                        List.of(),
                        Actor.ENGINE,
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "c"));
        zombie.node().loops().forEach(loop -> loop.step());

        assertInstanceOf(CallAnswer.Busy.class, answer.getNow(null));
        assertEquals(0, zombie.waitingHandlers());
    }

    /** Expressions that an evaluator never comes to an end with, in one process. */
    private static final class Endless implements Expressions {
        private final Expressions real = new ScriptExpressions();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public Optional<ExpressionError> checkCondition(String source) {
            return real.checkCondition(source);
        }

        @Override
        public Evaluation condition(String source, Roots roots) {
            return real.condition(source, roots);
        }

        @Override
        public Rendering render(JsonValue template, Roots roots) {
            reached.countDown();
            awaitUninterruptibly(over);
            return real.render(template, roots);
        }
    }

    /** R3: its decision is aborted, and tried elsewhere. */
    @Test
    void aShardWhoseDecisionHangsIsTakenOver() throws InterruptedException {
        Endless endless = new Endless();
        SteppedNode stuck = new SteppedNode(
                world.clock,
                EngineConfig.of("one"),
                EngineParts.of(world.ports, endless, BuiltInActions.registry()).withRandom(new SplittableRandom(1)));
        stuck.settle();
        CompletableFuture<StartAnswer> answer = stuck.node().start(work.start("request"));
        Thread loop = Thread.ofPlatform().start(stuck::stepLoops);
        endless.reached.await();
        SteppedNode other = world.node("two");

        int seconds = 0;
        while (!other.node().ready()) {
            seconds += 5;
            assertTrue(seconds < 120, "its lease is renewed for ever");
            world.clock.advance(Duration.ofSeconds(5));
            var _ = stuck.node().keepLeases();
            other.settle();
        }
        assertTrue(seconds > 30, "it was given time");
        CompletableFuture<StartAnswer> again = other.node().start(work.start("request"));
        other.settle();
        endless.over.countDown();
        loop.join();
        stuck.settle();

        assertInstanceOf(StartAnswer.Busy.class, answer.getNow(null));
        assertEquals(RunStatus.SUCCEEDED, world.row(World.started(again)).status());
        assertEquals(2, world.history(World.started(again)).count(EventBody.TaskCompleted.class));
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
}
