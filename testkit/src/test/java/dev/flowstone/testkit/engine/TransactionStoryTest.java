package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent;
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
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a shard deals with transactions that hang, or end in ways that nobody knows (R17); the database is played. */
final class TransactionStoryTest {
    private static final String HANDLER = "doc.post";

    private final World world = new World();
    private final AtomicInteger executed = new AtomicInteger();

    /** A database's part, as far as a shard sees it. */
    @FunctionalInterface
    private interface Played extends Transactions {
        @Override
        default Optional<Outcome.Recorded> find(TransactionRequest request) {
            return Optional.empty();
        }

        @Override
        default Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.of();
        }
    }

    private static Transactions.Outcome.Recorded done(TransactionRequest request, long version) {
        return recorded(request, request.attempt(), version, JsonNull.NULL);
    }

    private static Transactions.Outcome.Recorded recorded(
            TransactionRequest request, int attempt, long version, JsonValue output) {
        TransactionMessage message =
                new TransactionMessage(request.activation(), attempt, new TaskResult.Ok(output), Optional.of(version));
        return new Transactions.Outcome.Recorded(new InboxMessage(
                TransactionRequest.key(request.run(), request.activation(), attempt),
                request.run().run(),
                TransactionMessage.KIND,
                message.content(),
                Instant.EPOCH));
    }

    private SteppedNode node(Transactions transactions, Executor handlers) {
        return node(EngineConfig.of("one"), transactions, handlers);
    }

    private SteppedNode node(EngineConfig config, Transactions transactions, Executor handlers) {
        Ports all = world.ports;
        Ports ports = new Ports(
                all.journal(),
                all.leases(),
                all.outbox(),
                all.inbox(),
                all.runs(),
                all.humanTasks(),
                all.feed(),
                all.workflows(),
                all.clock(),
                all.subjects(),
                transactions);
        HandlerRegistry registry = HandlerRegistry.builder()
                .transactional(
                        new ActionDescription(new HandlerName(HANDLER), "For a test.", List.of()),
                        (call, transaction) -> TaskResult.ok(JsonNull.NULL))
                .build();
        SteppedNode node = new SteppedNode(
                world.clock, config, EngineParts.of(ports, new ScriptExpressions(), registry), _ -> handlers);
        node.settleLoops();
        return node;
    }

    private RunId start(SteppedNode node, Program program) {
        return start(node, program, "7");
    }

    private RunId start(SteppedNode node, Program program, String document) {
        var answer = node.node()
                .start(world.publish(program).start().about(new SubjectBinding(new Subject("doc", document), 1, true)));
        node.settleLoops();
        return World.started(answer);
    }

    /** Tasks of the handler side by side. */
    private static Program sideBySide(String... nodes) {
        ProgramBuilder program = ProgramBuilder.dag("sideBySide");
        for (String node : nodes) {
            program.task(node, HANDLER).edge("start", node);
        }
        return program.build();
    }

    private void finish(SteppedNode node, ArrayDeque<Runnable> handlers) {
        int left = 50;
        while (!handlers.isEmpty()) {
            assertTrue(left-- > 0, "handlers are called without end");
            handlers.remove().run();
            node.settleLoops();
        }
    }

    private static Program one() {
        return ProgramBuilder.sequence("post", 1, HANDLER);
    }

    private static CallRequest note(RunId run) {
        return call(run, new DataCommand.SetVariables(Map.of("note", JsonNumber.of(1)), "for a test"));
    }

    private static CallRequest call(RunId run, Command command) {
        return new CallRequest(
                new RunKey(World.TENANT, run),
                command,
                List.of(),
                new Actor("user", "tester"),
                Optional.empty(),
                Optional.empty(),
                Sha256.ZERO,
                "a correlation");
    }

    private void forgetfully(CountDownLatch latch) {
        boolean open = false;
        while (!open) {
            try {
                latch.await();
                open = true;
            } catch (InterruptedException e) {
                // That is what makes it stuck.
            }
        }
    }

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

    /** A predecessor's result is recorded and doesn't come; another attempt's answer waits for it. */
    @Test
    void aStopDoesNotWaitForWhatAPredecessorHasRecorded() {
        Program both = ProgramBuilder.dag("both")
                .task("a", HANDLER)
                .task("b", "remote.nobody")
                .edge("start", "a")
                .edge("start", "b")
                .build();
        SteppedNode before = node((Played) (request, work) -> done(request, 2), _ -> {});
        RunId run = start(before, both);
        before.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofMinutes(5));
        SteppedNode after = node(new RecordedAlready(), _ -> {});
        World.until(after, () -> after.node().ready());

        after.node().beginStop();
        after.settleLoops();
        after.node().giveBack();
        World.until(after, () -> after.node().loops().stream().allMatch(loop -> loop.status() == ShardStatus.ENDED));

        assertEquals(
                List.of("b#1"),
                world.history(run).all(TaskFailed.class).stream()
                        .map(failed -> failed.activation().toString())
                        .toList());
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
        CompletableFuture<CallAnswer> suspended =
                node.node().call(call(run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "for a test", "run")));
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

    private static Command answer(String activation, int attempt) {
        return new Command.CompleteTask(
                ActivationId.parse(activation), attempt, new TaskAnswer.Ok(Payload.of(JsonNull.NULL)));
    }

    /** Each transaction expects the version that the one before has made, or there were two at once. */
    private SteppedNode versioned(List<String> versions, ArrayDeque<Runnable> handlers) {
        return node(
                (Played) (request, work) -> {
                    versions.add(request.activation().node() + " " + request.expectedVersion());
                    return done(request, request.expectedVersion() + 1);
                },
                handlers::add);
    }

    /** Nobody knows such an attempt, but the one that is under way goes on. */
    @Test
    void anAnswerThatIsRefusedEndsNoTransaction() {
        List<String> versions = new CopyOnWriteArrayList<>();
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node = versioned(versions, handlers);
        RunId run = start(node, sideBySide("a", "b"));
        CompletableFuture<CallAnswer> asked = node.node().call(call(run, answer("a#1", 99)));
        node.settleLoops();
        assertEquals(1, handlers.size());

        finish(node, handlers);

        assertEquals(
                "NOT_FOUND",
                assertInstanceOf(CallAnswer.Refused.class, asked.join()).code());
        assertEquals(List.of("a 1", "b 2"), versions);
        assertEquals(1, world.history(run).count(RunCompleted.class));
    }

    @Test
    void whatOthersAnswerForATransactionWaitsForIt() {
        List<String> versions = new CopyOnWriteArrayList<>();
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node = versioned(versions, handlers);
        RunId run = start(node, sideBySide("a", "b"));
        CompletableFuture<CallAnswer> asked = node.node().call(call(run, answer("a#1", 1)));
        node.settleLoops();
        assertFalse(asked.isDone());
        assertEquals(1, handlers.size());

        finish(node, handlers);

        assertTrue(asked.isDone());
        assertEquals(List.of("a 1", "b 2"), versions);
        assertEquals(1, world.history(run).count(RunCompleted.class));
    }

    /** Attempt 1 has failed and its time is up, both: what comes second says nothing about attempt 2. */
    @Test
    void anAnswerOfAnAttemptBeforeEndsNoTransaction() {
        List<String> versions = new CopyOnWriteArrayList<>();
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        EngineConfig one = EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withBatch(1));
        SteppedNode node = node(
                one,
                (Played) (request, work) -> {
                    versions.add(
                            request.activation().node() + "/" + request.attempt() + " " + request.expectedVersion());
                    return versions.size() == 1
                            ? new Transactions.Outcome.Undone(TaskResult.retryable("AGAIN", "for a test"))
                            : done(request, request.expectedVersion() + 1);
                },
                handlers::add);
        RunId run = start(
                node,
                ProgramBuilder.dag("two")
                        .retry(new Retry(3, Duration.ZERO, 1, Duration.ZERO, false))
                        .task("a", HANDLER)
                        .task("b", HANDLER)
                        .edge("start", "a")
                        .edge("start", "b")
                        .build());
        handlers.remove().run();
        world.clock.advance(Transactions.GIVEN_UP_AFTER.plusSeconds(1));
        node.settleLoops();
        assertEquals(1, handlers.size());

        finish(node, handlers);

        assertEquals(3, versions.size());
        assertEquals("a/1 1", versions.getFirst());
        assertTrue(versions.getLast().endsWith(" 2"), () -> String.valueOf(versions));
        assertEquals(1, world.history(run).count(RunCompleted.class));
    }

    /** What was too large once is too large again: the operator is told so, and the run doesn't wait for ever. */
    @Test
    void anOperatorsRetryFindsWhatWasRecordedAndTellsThatItIsOfNoUse() {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node = node(
                EngineConfig.of("one").withBounds(Bounds.DEFAULT.withContextBytes(2_000)),
                // Recorded by attempt 1, and found by attempt 2.
                (Played) (request, work) -> recorded(request, 1, 2, new JsonString("x".repeat(3_000))),
                handlers::add);
        RunId run = start(
                node,
                ProgramBuilder.dag("parks")
                        .fork("f", "j", "x")
                        .edge("start", "f")
                        .join("j")
                        .branch("x", "f", "a", Scope.Kind.FLOW, Scope.FailurePolicy.PARK)
                        .task("a", HANDLER)
                        .edge("a", "j")
                        .build());
        finish(node, handlers);
        assertEquals(1, world.history(run).count(EventBody.IncidentRaised.class));

        var _ = node.node().call(call(run, new ControlCommand.RetryIncident(parked(run), Optional.empty())));
        node.settleLoops();
        finish(node, handlers);

        assertEquals(
                List.of("1 CONTEXT_TOO_LARGE", "2 CONTEXT_TOO_LARGE"),
                world.history(run).all(TaskFailed.class).stream()
                        .map(failed -> failed.attempt() + " " + failed.error().code())
                        .toList());
        assertEquals(2, world.history(run).count(EventBody.IncidentRaised.class));
        assertEquals(List.of(new SubjectChanged(true, 2)), world.history(run).all(SubjectChanged.class));
    }

    private long parked(RunId run) {
        return world.history(run).events().stream()
                .filter(event -> event.body() instanceof EventBody.IncidentRaised)
                .findFirst()
                .orElseThrow()
                .sequence();
    }

    private CompletableFuture<CallAnswer> stopWhile(SteppedNode node, RunId run) {
        World.until(node, () -> executed.get() == 1);
        CompletableFuture<CallAnswer> canceled = node.node()
                .call(call(run, new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty())));
        node.settleLoops();
        node.node().beginStop();
        node.settleLoops();
        node.node().giveBack();
        node.settleLoops();
        return canceled;
    }

    /** Else the run would be canceled, and then its subject changed. */
    @Test
    void aStopWaitsForWhatIsBeingCommitted() {
        CountDownLatch committing = new CountDownLatch(1);
        SteppedNode node = node(
                (Played) (request, work) -> {
                    assertTrue(work.mayCommit());
                    executed.incrementAndGet();
                    forgetfully(committing);
                    assertFalse(Thread.currentThread().isInterrupted());
                    return done(request, 2);
                },
                Executors.newVirtualThreadPerTaskExecutor());
        RunId run = start(node, ProgramBuilder.sequence("two", 2, HANDLER));

        CompletableFuture<CallAnswer> canceled = stopWhile(node, run);

        assertFalse(canceled.isDone());
        assertEquals(ShardStatus.STOPPING, node.node().loops().iterator().next().status());
        committing.countDown();
        World.until(node, () -> node.node().loops().stream().allMatch(loop -> loop.status() == ShardStatus.ENDED));
        assertInstanceOf(CallAnswer.Done.class, canceled.join());
        assertEquals(1, world.history(run).count(TaskCompleted.class));
        assertEquals(1, world.history(run).count(ControlEvent.RunCanceled.class));
    }

    @Test
    void whatAStopGivesBackIsNeverCommitted() {
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

        CompletableFuture<CallAnswer> canceled = stopWhile(node, run);

        assertInstanceOf(CallAnswer.Done.class, canceled.join());
        stuck.countDown();
        assertFalse(committed.join());
        assertEquals(1, world.history(run).count(EventBody.TaskReturned.class));
    }

    /** Handlers that are stuck have all places; nobody can wait for those. */
    @Test
    void controlReachesARunWhoseTransactionOnlyWaitsForAPlace() {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node = node(
                EngineConfig.of("one").withTask(TaskConfig.DEFAULT.withPerHandler(Map.of(new HandlerName(HANDLER), 1))),
                (Played) (request, work) -> done(request, request.expectedVersion() + 1),
                handlers::add);
        start(node, one());
        RunId canceled = start(node, one(), "8");
        RunId suspended = start(node, one(), "9");
        assertEquals(1, handlers.size());

        CompletableFuture<CallAnswer> cancel = node.node()
                .call(call(
                        canceled, new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty())));
        CompletableFuture<CallAnswer> suspend = node.node()
                .call(call(suspended, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "for a test", "run")));
        node.settleLoops();

        assertInstanceOf(CallAnswer.Done.class, cancel.getNow(null));
        assertInstanceOf(CallAnswer.Done.class, suspend.getNow(null));
        assertEquals(1, world.history(canceled).count(ControlEvent.RunCanceled.class));
        assertEquals(1, world.history(suspended).count(ControlEvent.RunSuspended.class));
        var _ = node.node().call(call(suspended, new ControlCommand.ResumeRun("for a test")));
        node.settleLoops();
        finish(node, handlers);
        assertEquals(1, world.history(suspended).count(RunCompleted.class));
        assertEquals(0, world.history(canceled).count(TaskCompleted.class));
    }

    /** A thousand wait here; the others where they are stored, and are not read over and over instead of other runs'. */
    @Test
    void manyMessagesToARunInATransactionKeepNoOtherRunWaiting() throws Exception {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node =
                node((Played) (request, work) -> done(request, request.expectedVersion() + 10_000), handlers::add);
        RunId busy = start(node, one());
        RunId other = start(
                node,
                ProgramBuilder.dag("other")
                        .human("h", new JsonArray(List.of(new JsonString("ann"))), new Quorum.One())
                        .edge("start", "h")
                        .build(),
                "8");
        for (int version = 2; version < 2_600; version++) {
            tell(busy, version);
        }
        world.clock.advance(Duration.ofMillis(1));
        tell(other, 5);
        polls(node);

        assertEquals(List.of(new SubjectChanged(false, 5)), world.history(other).all(SubjectChanged.class));
        finish(node, handlers);
        polls(node);
        assertEquals(1, world.history(busy).count(RunCompleted.class));
        assertEquals(
                List.of(),
                world.ports
                        .journal()
                        .inbox(node.node().loops().iterator().next().lease(), 10));
    }

    private void polls(SteppedNode node) {
        for (int poll = 0; poll < 20; poll++) {
            world.clock.advance(Duration.ofSeconds(2));
            node.settleLoops();
        }
    }

    private void tell(RunId run, long version) throws JournalException {
        SubjectMessage message = new SubjectMessage(version);
        world.ports
                .inbox()
                .accept(new InboxMessage(
                        message.key(new RunKey(World.TENANT, run)),
                        run,
                        SubjectMessage.KIND,
                        message.content(),
                        world.clock.now()));
    }

    private static final class RecordedAlready implements Transactions {
        @Override
        public Optional<Outcome.Recorded> find(TransactionRequest request) {
            throw new AssertionError("it is done");
        }

        @Override
        public Outcome execute(TransactionRequest request, Work work) {
            throw new AssertionError("it is done");
        }

        @Override
        public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.copyOf(keys);
        }
    }
}
