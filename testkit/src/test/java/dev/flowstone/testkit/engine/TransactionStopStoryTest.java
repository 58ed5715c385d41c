package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What becomes of transactions when their node stops, or others want something of their run (R17). */
final class TransactionStopStoryTest extends TransactionStories {
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
                EngineConfig.of("one").withTask(TaskConfig.DEFAULT.withLimits(List.of(ActionLimit.atOnce(HANDLER, 1)))),
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

    /** The predecessor's transaction is recorded, and its message lies behind many others when the node is told to stop. */
    @Test
    void aStopDecidesARecordedResultBeforeWhatWasAskedMeanwhile() throws Exception {
        Program program = ProgramBuilder.dag("then")
                .task("post", HANDLER)
                .human("h", new JsonArray(List.of(new JsonString("ann"))), new Quorum.One())
                .edge("start", "post")
                .edge("post", "h")
                .build();
        SteppedNode before = node((Played) (request, work) -> done(request, 2), _ -> {});
        RunId run = start(before, program);
        RunId other = start(before, program, "8");
        World.crash(before);
        world.clock.advance(Duration.ofMinutes(5));
        for (int version = 2; version < 60; version++) {
            tell(other, version);
        }
        world.clock.advance(Duration.ofMillis(1));
        world.ports.inbox().accept(message(run));
        SteppedNode after = takingOver();

        CompletableFuture<CallAnswer> asked = after.node().call(note(run));
        after.stepLoops();
        assertFalse(asked.isDone(), "the run is checked out");
        after.node().beginStop();
        after.node().giveBack();
        after.settleLoops();

        assertInstanceOf(CallAnswer.Done.class, asked.getNow(null));
        List<String> kinds = world.history(run).kinds();
        assertTrue(kinds.contains("VariablesSet"), kinds::toString);
        assertTrue(kinds.indexOf("TaskCompleted") < kinds.indexOf("VariablesSet"), kinds::toString);
        assertTrue(kinds.contains("TaskCompleted"), kinds::toString);
        assertEquals(ShardStatus.ENDED, after.node().loops().iterator().next().status());
    }

    private InboxMessage message(RunId run) {
        TransactionMessage message = new TransactionMessage(
                world.history(run).all(EventBody.TaskScheduled.class).getFirst().activation(),
                1,
                new TaskResult.Ok(JsonNull.NULL),
                Optional.of(2L));
        return new InboxMessage(
                TransactionRequest.key(new RunKey(World.TENANT, run), message.activation(), 1),
                run,
                TransactionMessage.KIND,
                message.content(),
                world.clock.now());
    }

    /** A node with small batches, that has just taken up what its predecessor left. */
    private SteppedNode takingOver() {
        EngineConfig config = EngineConfig.of("one");
        SteppedNode node = unsettled(
                config.withShard(config.shard().withBatch(4)),
                new RecordedAlready(),
                Executors.newVirtualThreadPerTaskExecutor());
        int left = 50;
        while (node.node().loops().isEmpty()
                || node.node().loops().iterator().next().status() != ShardStatus.RUNNING) {
            assertTrue(left-- > 0);
            node.stepLoops();
        }
        return node;
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
}
