package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.DataEvent.VariablesSet;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.TaskTimedOut;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** How a shard deals with transactions that hang, or end in ways that nobody knows (R17); the database is played. */
final class TransactionStoryTest extends TransactionStories {
    @Test
    void oneThatIsStuckIsGivenUpAndNeverCommitted() {
        CountDownLatch stuck = new CountDownLatch(1);
        CompletableFuture<Boolean> committed = new CompletableFuture<>();
        SteppedNode node = node(
                (Played) (request, work) -> {
                    executed.incrementAndGet();
                    forgetfully(stuck);
                    committed.complete(work.mayCommit());
                    return new Transactions.Outcome.Undone(TaskResult.permanent("LATE", "too late"));
                },
                Executors.newVirtualThreadPerTaskExecutor());
        RunId run = start(node, one());
        World.until(node, () -> executed.get() == 1);
        CompletableFuture<CallAnswer> asked = node.node().call(note(run));
        node.settleLoops();
        assertFalse(asked.isDone());

        world.clock.advance(Transactions.GIVEN_UP_AFTER.plusSeconds(1));
        World.until(node, () -> world.history(run).count(RunFailed.class) > 0 && asked.isDone());

        assertEquals(1, world.history(run).count(TaskTimedOut.class));
        stuck.countDown();
        assertFalse(committed.join());
    }

    @Test
    void oneThatIsBeingCommittedIsNotGivenUp() {
        CountDownLatch committing = new CountDownLatch(1);
        SteppedNode node = node(
                (Played) (request, work) -> {
                    assertTrue(work.mayCommit());
                    executed.incrementAndGet();
                    forgetfully(committing);
                    return done(request, 2);
                },
                Executors.newVirtualThreadPerTaskExecutor());
        RunId run = start(node, one());
        World.until(node, () -> executed.get() == 1);

        world.clock.advance(Duration.ofHours(1));
        node.settleLoops();
        assertEquals(0, world.history(run).count(TaskTimedOut.class));
        committing.countDown();
        World.until(node, () -> world.history(run).count(RunCompleted.class) > 0);

        assertEquals(List.of(new SubjectChanged(true, 2)), world.history(run).all(SubjectChanged.class));
    }

    /** Given back in between, the run's other transaction would have begun with a version that is none any more. */
    @Test
    void untilItIsKnownWhetherItWasCommittedTheRunStaysCheckedOut() {
        List<String> versions = new CopyOnWriteArrayList<>();
        SteppedNode node = node(
                new Broken(
                        _ -> switch (executed.incrementAndGet()) {
                            case 2 -> throw new JournalException.Unavailable("the database is away");
                            case 3 ->
                                throw new MutationException(
                                        FailureClass.PERMANENT, MutationException.LOCKED, "somebody has it");
                            case 4 -> throw new IllegalStateException("a bug");
                            default -> Optional.empty();
                        },
                        (request, work) -> {
                            if (executed.get() == 0) {
                                executed.incrementAndGet();
                                throw new JournalException.UnknownOutcome("the connection broke");
                            }
                            versions.add(request.activation().node() + " " + request.expectedVersion());
                            return done(request, request.expectedVersion() + 1);
                        }),
                Executors.newVirtualThreadPerTaskExecutor());
        RunId run = start(
                node,
                ProgramBuilder.dag("two")
                        .task("a", HANDLER)
                        .task("b", HANDLER)
                        .edge("start", "a")
                        .edge("start", "b")
                        .build());

        World.until(node, () -> world.history(run).count(RunCompleted.class) > 0);

        assertEquals(List.of("a 1", "b 2"), versions);
        assertEquals(0, world.history(run).count(TaskFailed.class));
        assertEquals(0, world.history(run).count(EventBody.TaskReturned.class));
    }

    /** A transaction whose outcome nobody knows at first. */
    private record Broken(Finding finding, Played played) implements Transactions {
        @Override
        public Outcome execute(TransactionRequest request, Work work) throws Exception {
            return played.execute(request, work);
        }

        @Override
        public Optional<Outcome.Recorded> find(TransactionRequest request) throws Exception {
            return finding.find(request);
        }

        @Override
        public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.of();
        }
    }

    @FunctionalInterface
    private interface Finding {
        Optional<Transactions.Outcome.Recorded> find(TransactionRequest request) throws Exception;
    }

    /** It was committed, and what its handler would lock can't be locked like that any more. */
    @Test
    void whatWasCommittedIsFoundWithoutTheHandler() {
        SteppedNode node = node(
                new Broken(request -> Optional.of(done(request, 2)), (request, work) -> {
                    if (executed.incrementAndGet() == 1) {
                        throw new JournalException.UnknownOutcome("the connection broke");
                    }
                    throw new IllegalStateException("the document is no draft any more");
                }),
                Executors.newVirtualThreadPerTaskExecutor());
        RunId run = start(node, one());

        World.until(node, () -> world.row(run).status().isFinal());

        assertEquals(1, executed.get());
        assertEquals(1, world.history(run).count(RunCompleted.class));
        assertEquals(List.of(new SubjectChanged(true, 2)), world.history(run).all(SubjectChanged.class));
    }

    /** Else a run would wait for a handler for ever, because an earlier try of it had nearly been committed. */
    @Test
    void oneThatWasNotCommittedCanBeGivenUpAgain() {
        CountDownLatch stuck = new CountDownLatch(1);
        CompletableFuture<Boolean> committed = new CompletableFuture<>();
        SteppedNode node = node(
                (Played) (request, work) -> {
                    if (executed.incrementAndGet() == 1) {
                        assertTrue(work.mayCommit());
                        throw new JournalException.UnknownOutcome("the connection broke");
                    }
                    forgetfully(stuck);
                    committed.complete(work.mayCommit());
                    return new Transactions.Outcome.Undone(TaskResult.permanent("LATE", "too late"));
                },
                Executors.newVirtualThreadPerTaskExecutor());
        RunId run = start(node, one());
        World.until(node, () -> executed.get() == 2);

        world.clock.advance(Transactions.GIVEN_UP_AFTER.plusSeconds(1));
        World.until(node, () -> world.history(run).count(RunFailed.class) > 0);

        assertEquals(1, world.history(run).count(TaskTimedOut.class));
        stuck.countDown();
        assertFalse(committed.join());
    }

    /** Its turn would have come with that of the command that was refused. */
    @Test
    void aTransactionThatWaitedBeginsThoughWhatCameBeforeItCannotBeStored() {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node =
                node((Played) (request, work) -> done(request, request.expectedVersion() + 1), handlers::add);
        RunId run = start(
                node,
                ProgramBuilder.dag("two")
                        .task("a", HANDLER)
                        .task("b", HANDLER)
                        .edge("start", "a")
                        .edge("a", "b")
                        .build());
        CompletableFuture<CallAnswer> asked = node.node().call(note(run));
        node.settleLoops();
        world.journal.on((commit, to) -> {
            if (commit.moves().stream().anyMatch(move -> setsVariables(move.entries()))) {
                throw new JournalException.BadData("on purpose");
            }
            return to.commit(commit);
        });

        handlers.remove().run();
        node.settleLoops();

        assertEquals(
                "NOT_STORABLE",
                assertInstanceOf(CallAnswer.Refused.class, asked.join()).code());
        assertEquals(2, world.history(run).count(TaskScheduled.class));
        assertEquals(1, handlers.size());
        handlers.remove().run();
        node.settleLoops();
        assertEquals(1, world.history(run).count(RunCompleted.class));
    }

    private static boolean setsVariables(List<JournalEntry> entries) {
        return entries.stream()
                .anyMatch(entry ->
                        new String(entry.bytes(), StandardCharsets.UTF_8).contains(VariablesSet.class.getSimpleName()));
    }

    /** What it made of its subject stays made, though its success can't be stored. */
    @Test
    void theSubjectsVersionIsKnownThoughTheResultCannotBeStored() {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node =
                node((Played) (request, work) -> done(request, request.expectedVersion() + 1), handlers::add);
        RunId run = start(node, one());
        world.journal.once((commit, to) -> {
            throw new JournalException.BadData("on purpose");
        });

        handlers.remove().run();
        node.settleLoops();

        assertEquals(List.of(new SubjectChanged(true, 2)), world.history(run).all(SubjectChanged.class));
        assertEquals(
                "NOT_STORABLE",
                world.history(run).all(TaskFailed.class).getFirst().error().code());
        assertEquals(0, world.history(run).count(TaskCompleted.class));
    }

    /** What is under way ends; the next one goes back until the run is resumed, and works on the version that was left. */
    @Test
    void aSuspendedRunsTransactionsGoOnWhenItIsResumed() {
        List<String> versions = new CopyOnWriteArrayList<>();
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node = node(
                (Played) (request, work) -> {
                    versions.add(request.activation().node() + " " + request.expectedVersion());
                    return done(request, request.expectedVersion() + 1);
                },
                handlers::add);
        RunId run = start(node, sideBySide("a", "b", "c"));
        HandlerExecution underWay = (HandlerExecution) handlers.remove();
        assertFalse(underWay.call());
        CompletableFuture<CallAnswer> suspended =
                node.node().call(call(run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "for a test", "run")));
        node.settleLoops();
        assertFalse(suspended.isDone());

        underWay.answer();
        node.settleLoops();
        finish(node, handlers);

        assertInstanceOf(CallAnswer.Done.class, suspended.join());
        assertEquals(List.of("a 1"), versions);
        var _ = node.node().call(call(run, new ControlCommand.ResumeRun("for a test")));
        node.settleLoops();
        finish(node, handlers);
        assertEquals(List.of("a 1", "b 2", "c 3"), versions);
        assertEquals(1, world.history(run).count(RunCompleted.class));
    }
}
