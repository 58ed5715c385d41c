package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Which answers end a transaction, and which wait for it (R17). */
final class TransactionAnswerStoryTest extends TransactionStories {
    private static Command answer(String activation, int attempt) {
        return new Command.CompleteTask(
                ActivationId.parse(activation), attempt, new TaskAnswer.Ok(Payload.of(JsonNull.NULL)));
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

    /** A turn that decides nothing records nothing: the attempt that waited goes by what its node knows. */
    @Test
    void anAttemptThatWaitedIsNotHandedOutOnceItsScopeIsHeld() throws JournalException {
        List<String> versions = new CopyOnWriteArrayList<>();
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode node = versioned(versions, handlers);
        RunId run = start(
                node,
                ProgramBuilder.dag("later")
                        .timer("wait", Duration.ofMinutes(1))
                        .task("a", HANDLER)
                        .task("b", HANDLER)
                        .edge("start", "wait")
                        .edge("wait", "a")
                        .edge("wait", "b")
                        .build());
        CallRequest repeated = new CallRequest(
                new RunKey(World.TENANT, run),
                new DataCommand.SetVariables(Map.of("note", JsonNumber.of(1)), "for a test"),
                List.of(),
                new Actor("user", "tester"),
                Optional.empty(),
                Optional.of("once"),
                Sha256.ZERO,
                "a correlation");
        var _ = node.node().call(repeated);
        node.settleLoops();
        world.clock.advance(Duration.ofMinutes(2));
        node.settleLoops();
        CompletableFuture<CallAnswer> again = node.node().call(repeated);
        node.settleLoops();
        assertFalse(again.isDone());

        handlers.remove().run();
        node.stepLoops();
        Actor operator = new Actor("user", "operator");
        SettingScope all = new SettingScope.Everything();
        node.node().control().change(SettingRequest.suspend(all, HoldPolicy.DEFAULT, "audit", operator));
        node.settleLoops();
        finish(node, handlers);
        assertInstanceOf(CallAnswer.Repeated.class, again.join());
        assertEquals(List.of("a 1"), versions);

        node.node().control().change(SettingRequest.resume(all, "done", operator));
        node.settleLoops();
        finish(node, handlers);
        assertEquals(List.of("a 1", "b 2"), versions);
    }

    /** It was given up too early, and is of no use: the attempt after it, whose node has died, must still be made. */
    @Test
    void whatAnAttemptBeforeHasRecordedForASuspendedRunLeavesTheNextOneToBeMade() throws JournalException {
        EngineConfig config = EngineConfig.of("one").withBounds(Bounds.DEFAULT.withContextBytes(2_000));
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedNode died = node(
                config,
                (Played)
                        (request, work) -> new Transactions.Outcome.Undone(TaskResult.retryable("AGAIN", "for a test")),
                handlers::add);
        RunId run = start(
                died,
                ProgramBuilder.dag("twice")
                        .retry(new Retry(2, Duration.ZERO, 1, Duration.ZERO, false))
                        .task("a", HANDLER)
                        .edge("start", "a")
                        .build());
        handlers.remove().run();
        died.settleLoops();
        handlers.clear();
        died.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofSeconds(40));
        JsonString large = new JsonString("x".repeat(3_000));
        List<Integer> made = new CopyOnWriteArrayList<>();
        SteppedNode node = node(
                config,
                new Remembering((request, work) -> {
                    made.add(request.attempt());
                    return recorded(request, 1, 2, large);
                }),
                handlers::add);
        SettingScope all = new SettingScope.Everything();
        Actor operator = new Actor("user", "operator");
        node.node().control().change(SettingRequest.suspend(all, HoldPolicy.DEFAULT, "audit", operator));
        ActivationId a = ActivationId.parse("a#1");
        world.ports
                .inbox()
                .accept(new InboxMessage(
                        TransactionRequest.key(new RunKey(World.TENANT, run), a, 1),
                        run,
                        TransactionMessage.KIND,
                        new TransactionMessage(a, 1, new TaskResult.Ok(large), Optional.of(2L)).content(),
                        world.clock.now()));
        world.clock.advance(Duration.ofSeconds(2));
        node.settleLoops();
        assertEquals(1, world.history(run).count(ControlEvent.HoldImposed.class));
        assertEquals(List.of(), List.copyOf(handlers));

        node.node().control().change(SettingRequest.resume(all, "done", operator));
        world.clock.advance(Duration.ofSeconds(2));
        node.settleLoops();
        finish(node, handlers);

        assertEquals(List.of(2), made);
        assertEquals(
                List.of("1 AGAIN", "2 CONTEXT_TOO_LARGE"),
                world.history(run).all(TaskFailed.class).stream()
                        .map(failed -> failed.attempt() + " " + failed.error().code())
                        .toList());
    }

    /** A database that has what attempts have recorded. */
    private record Remembering(Played played) implements Transactions {
        @Override
        public Outcome execute(TransactionRequest request, Work work) throws Exception {
            return played.execute(request, work);
        }

        @Override
        public Optional<Outcome.Recorded> find(TransactionRequest request) {
            return Optional.empty();
        }

        @Override
        public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.copyOf(keys);
        }
    }
}
