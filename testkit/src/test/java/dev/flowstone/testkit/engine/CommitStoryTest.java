package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nothing is said before it is true: what the loop does around its commit, whatever becomes of that. */
final class CommitStoryTest {
    private final World world = new World();
    private final SteppedNode node = world.node("one");
    private final Published five = world.publish(ProgramBuilder.sequence("five", 5, "core.echo"));

    @Test
    void answersAndDispatchesOnlyAfterTheCommit() {
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        AtomicInteger seen = new AtomicInteger();
        world.journal.on((commit, to) -> {
            assertTrue(answers.stream().noneMatch(CompletableFuture::isDone), "nobody has been answered yet");
            assertEquals(0, node.waitingHandlers(), "nothing has been handed out yet");
            seen.addAndGet(commit.moves().size());
            return to.commit(commit);
        });

        for (int i = 0; i < 10; i++) {
            answers.add(node.node().start(five.start()));
        }
        assertTrue(answers.stream().noneMatch(CompletableFuture::isDone));
        node.stepLoops();

        assertEquals(10, seen.get(), "ten starts in one commit");
        assertTrue(answers.stream().allMatch(answer -> answer.getNow(null) instanceof StartAnswer.Started));
        assertEquals(10, node.waitingHandlers());
    }

    @Test
    void aRejectionWaitsForACommitThatProvesTheEpoch() {
        int before = world.journal.commits();
        StartRequest unknown = new StartRequest(
                World.TENANT, five.program().workflow(), 1, Sha256.ZERO, Optional.empty(), Map.of(), Actor.ENGINE, "c");
        world.journal.once((commit, to) -> {
            throw new JournalException.Unavailable("not now");
        });

        CompletableFuture<StartAnswer> answer = node.node().start(unknown);
        node.stepLoops();
        assertFalse(answer.isDone(), "its commit failed");
        node.advance(Duration.ofSeconds(5));

        assertInstanceOf(StartAnswer.Refused.class, answer.getNow(null));
        assertEquals(before + 2, world.journal.commits());
    }

    @Test
    void goesOnByItselfWhenTheDatabaseComesBack() {
        RunId running = World.started(start());
        world.journal.cut();
        CompletableFuture<StartAnswer> answer = node.node().start(five.start());
        for (int i = 0; i < 20; i++) {
            node.advance(Duration.ofSeconds(1));
        }
        assertFalse(answer.isDone());
        assertFalse(node.node().ready());

        world.journal.heal();
        node.advance(Duration.ofSeconds(5));

        assertTrue(node.node().ready());
        assertEquals(RunStatus.SUCCEEDED, world.row(World.started(answer)).status());
        assertEquals(RunStatus.SUCCEEDED, world.row(running).status());
        assertEquals(5, world.history(running).count(EventBody.TaskCompleted.class));
    }

    @Test
    void aCallIsToldAtOnceThatTheDatabaseIsAway() {
        RunId running = World.started(start());
        world.journal.cut();
        CompletableFuture<StartAnswer> first = node.node().start(five.start());
        node.stepLoops();
        assertFalse(first.isDone(), "who was there before waits");

        assertInstanceOf(CallAnswer.Busy.class, cancel(running).getNow(null));

        world.journal.heal();
        node.advance(Duration.ofSeconds(5));
        CompletableFuture<CallAnswer> later = cancel(running);
        node.stepLoops();
        assertInstanceOf(CallAnswer.Refused.class, later.getNow(null), "the run is over");
    }

    private CompletableFuture<CallAnswer> cancel(RunId run) {
        return node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty()),
                        List.of(),
                        new Actor("user", "tester"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "a correlation"));
    }

    /** Else a node would stand still for as long as its clock was ahead. */
    @Test
    void aClockThatIsSetBackProlongsNoPause() {
        world.journal.cut();
        CompletableFuture<StartAnswer> answer = node.node().start(five.start());
        node.stepLoops();
        world.journal.heal();
        world.clock.set(world.clock.now().minus(Duration.ofHours(1)));

        node.advance(Duration.ofSeconds(5));

        assertEquals(RunStatus.SUCCEEDED, world.row(World.started(answer)).status());
    }

    private CompletableFuture<StartAnswer> start() {
        CompletableFuture<StartAnswer> answer = node.node().start(five.start());
        node.stepLoops();
        return answer;
    }

    @Test
    void anUnknownOutcomeThatWasDurableIsAnsweredWithoutDoingItAgain() {
        world.journal.once((commit, to) -> {
            to.commit(commit);
            throw new JournalException.UnknownOutcome("the connection broke in COMMIT");
        });

        CompletableFuture<StartAnswer> answer = node.node().start(five.start("request"));
        node.stepLoops();
        assertFalse(answer.isDone(), "nobody knows yet");
        node.advance(Duration.ofSeconds(1));

        RunId run = World.started(answer);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(5, world.history(run).count(EventBody.TaskScheduled.class), "each handed out once");
    }

    @Test
    void anUnknownOutcomeThatWasLostIsDoneAgain() {
        world.journal.once((commit, to) -> {
            throw new JournalException.UnknownOutcome("the connection broke in COMMIT");
        });

        CompletableFuture<StartAnswer> answer = node.node().start(five.start("request"));
        node.settle();
        node.advance(Duration.ofSeconds(1));

        assertEquals(RunStatus.SUCCEEDED, world.row(World.started(answer)).status());
    }

    @Test
    void everyCommitMayBreakOnceBeforeAndOnceAfterItIsDurable() {
        AtomicInteger n = new AtomicInteger();
        world.journal.on((commit, to) -> switch (commit.moves().isEmpty() ? 3 : n.getAndIncrement() % 4) {
            case 0 -> throw new JournalException.UnknownOutcome("before");
            case 1 -> {
                to.commit(commit);
                throw new JournalException.UnknownOutcome("after");
            }
            case 2 -> throw new JournalException.Unavailable("no");
            default -> to.commit(commit);
        });
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(node.node().start(five.start("r" + i)));
        }

        for (int i = 0; i < 100; i++) {
            node.advance(Duration.ofSeconds(3));
        }

        for (CompletableFuture<StartAnswer> answer : answers) {
            RunId run = World.started(answer);
            assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
            assertEquals(5, world.history(run).count(EventBody.TaskCompleted.class), "no step recorded twice");
        }
    }

    @Test
    void aLoserIsReloadedAndDecidedAgain() {
        RunId run = World.started(start());
        assertTrue(node.runHandler());
        world.journal.once((commit, to) -> {
            assertEquals(1, commit.moves().size());
            return to.commit(new Commit(commit.lease(), List.of(), List.of()));
        });

        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(5, world.history(run).count(EventBody.TaskCompleted.class));
    }

    /** What is in memory is not the run's state any more: deciding on it again would lose again, for ever. */
    @Test
    void aLoserWhoseRunHasMovedIsDecidedOnWhatIsStored() {
        RunId run = World.started(start());
        assertTrue(node.runHandler());
        world.journal.once((commit, to) -> {
            Committed moved = to.commit(commit);
            return new Committed(Set.of(), moved.databaseTime(), moved.feedNumber());
        });

        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(5, world.history(run).count(EventBody.TaskCompleted.class));
        assertEquals(1, node.node().loops().iterator().next().lease().epoch(), "the shard did not start afresh");
    }

    @Test
    void whatOneRunCannotStoreTouchesNoOtherRun() {
        List<CompletableFuture<StartAnswer>> good = new ArrayList<>();
        CompletableFuture<StartAnswer> bad = new CompletableFuture<>();
        for (int i = 0; i < 21; i++) {
            StartRequest request = five.start();
            if (i == 13) {
                bad = node.node()
                        .start(new StartRequest(
                                request.tenant(),
                                request.workflow(),
                                request.version(),
                                request.program(),
                                request.requestId(),
                                request.input(),
                                request.actor(),
                                "a NUL \u0000"));
            } else {
                good.add(node.node().start(request));
            }
        }

        node.settle();

        StartAnswer.Refused refused = assertInstanceOf(StartAnswer.Refused.class, bad.getNow(null));
        assertEquals("BAD_DATA", refused.code());
        for (CompletableFuture<StartAnswer> answer : good) {
            assertEquals(RunStatus.SUCCEEDED, world.row(World.started(answer)).status());
        }
    }

    @Test
    void aResultThatCannotBeStoredFailsItsTaskForGood() {
        RunId run = World.started(start());
        RunId other = World.started(start());
        world.journal.on((commit, to) -> {
            for (RunMove move : commit.moves()) {
                if (move.key().run().equals(run) && move.expectedSequence() < 8 && !isFailure(move)) {
                    throw new JournalException.BadData("refused");
                }
            }
            return to.commit(commit);
        });

        node.settle();

        assertEquals(RunStatus.FAILED, world.row(run).status());
        assertEquals(
                "NOT_STORABLE",
                world.history(run)
                        .all(EventBody.TaskFailed.class)
                        .getFirst()
                        .error()
                        .code());
        assertEquals(RunStatus.SUCCEEDED, world.row(other).status());
    }

    private static boolean isFailure(RunMove move) {
        return move.status() != RunStatus.RUNNING;
    }

    @Test
    void twoHundredCompletionsOfOneRunAllSucceedInFewCommits() {
        Published wide = world.publish(ProgramBuilder.fanOut("wide", 200, "core.echo"));
        CompletableFuture<StartAnswer> answer = node.node().start(wide.start());
        node.stepLoops();
        assertTrue(node.runHandler());
        node.settleLoops();
        assertEquals(200, node.waitingHandlers());
        while (node.runHandler()) {
            // All of them answer before the loop looks again.
        }
        int before = world.journal.commits();

        node.settleLoops();
        assertEquals(before + 1, world.journal.commits(), "two hundred decisions chained in one commit");
        node.settle();

        RunId run = World.started(answer);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(202, world.history(run).count(EventBody.TaskCompleted.class));
    }

    @Test
    void aFullQueueSaysBusyAtOnce() {
        SteppedNode small = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withStartQueue(3)), BuiltInActions.registry());
        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(small.node().start(five.start()));
        }

        assertInstanceOf(StartAnswer.Busy.class, answers.get(3).getNow(null));
        assertInstanceOf(StartAnswer.Busy.class, answers.get(4).getNow(null));
        small.settle();
        assertNotNull(World.started(answers.get(2)));
    }
}
