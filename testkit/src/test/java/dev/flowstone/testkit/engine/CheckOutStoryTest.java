package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.ControlEvent.InputBuffered;
import dev.flowstone.kernel.event.ControlEvent.RunSuspended;
import dev.flowstone.kernel.event.ControlEvent.RunTerminated;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.TaskSkipped;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a run that is checked out by a transaction takes meanwhile, and what not (R17). */
final class CheckOutStoryTest {
    private static final String HANDLER = "doc.post";
    private static final EngineConfig ONE = EngineConfig.of("one");

    private final World world = new World();
    private final ArrayDeque<Runnable> handlers = new ArrayDeque<>();
    private final List<String> called = new ArrayList<>();

    private SteppedNode node(EngineConfig config) {
        HandlerRegistry registry = HandlerRegistry.builder()
                .transactional(
                        new ActionDescription(new HandlerName(HANDLER), "For a test.", List.of()),
                        (call, transaction) -> {
                            called.add(call.activation() + " " + transaction.version());
                            return TaskResult.ok(JsonNull.NULL);
                        })
                .build();
        SteppedNode node = new SteppedNode(
                world.clock,
                config,
                EngineParts.of(world.ports, new ScriptExpressions(), registry),
                _ -> handlers::add);
        node.settleLoops();
        return node;
    }

    private RunId start(SteppedNode node, Program program) {
        var answer = node.node()
                .start(world.publish(program).start().about(new SubjectBinding(new Subject("doc", "7"), 1, true)));
        node.settleLoops();
        return World.started(answer);
    }

    private CompletableFuture<CallAnswer> ask(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        new Actor("user", "tester"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "a correlation"));
        node.settleLoops();
        return answer;
    }

    private void next(SteppedNode node) {
        handlers.remove().run();
        node.settleLoops();
    }

    private static Program oneAfterTheOther() {
        return ProgramBuilder.dag("two")
                .task("a", HANDLER)
                .task("b", HANDLER)
                .edge("start", "a")
                .edge("a", "b")
                .build();
    }

    private static final ControlCommand HOLD = new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "for a test", "run");

    /** The subject is changed already, and the run would tell that there was nothing to do. */
    @Test
    void whatAnotherProcessAnswersWaitsForTheTransaction() throws JournalException {
        SteppedNode node = node(ONE);
        RunId run = start(node, oneAfterTheOther());
        TaskAnswerMessage answer =
                new TaskAnswerMessage(ActivationId.parse("a#1"), 1, new TaskResult.Skipped("somebody else says so"));
        world.ports.inbox().accept(answer.to(new RunKey(World.TENANT, run), "a worker", world.clock.now()));
        world.clock.advance(Duration.ofSeconds(5));
        node.settleLoops();
        assertEquals(0, world.history(run).count(TaskSkipped.class));

        next(node);

        assertEquals(1, world.history(run).count(TaskCompleted.class));
        assertEquals(0, world.history(run).count(TaskSkipped.class));
    }

    @Test
    void aResultThatCameByTheInboxIsNotDecidedAgain() {
        SteppedNode node = node(ONE);
        RunId run = start(node, oneAfterTheOther());
        HandlerExecution first = (HandlerExecution) handlers.remove();
        assertFalse(first.call());
        CompletableFuture<CallAnswer> held = ask(node, run, HOLD);
        world.clock.advance(Duration.ofSeconds(5));
        node.settleLoops();
        assertTrue(held.isDone());
        assertEquals(1, world.history(run).count(TaskCompleted.class));
        assertEquals(1, world.history(run).count(RunSuspended.class));
        long kept = world.history(run).count(InputBuffered.class);

        first.answer();
        node.settleLoops();

        assertEquals(kept, world.history(run).count(InputBuffered.class));
    }

    @Test
    void aTransactionWhoseAnswerIsBufferedIsNotHandedOutAgain() {
        SteppedNode node = node(ONE);
        RunId run = start(
                node,
                ProgramBuilder.dag("three")
                        .task("a", HANDLER)
                        .task("b", HANDLER)
                        .task("c", HANDLER)
                        .edge("start", "a")
                        .edge("start", "b")
                        .edge("start", "c")
                        .build());
        HandlerExecution first = (HandlerExecution) handlers.remove();
        assertFalse(first.call());
        var _ = ask(node, run, HOLD);
        first.answer();
        node.settleLoops();

        for (int i = 0; i < 5 && !handlers.isEmpty(); i++) {
            next(node);
        }

        assertEquals(1, world.history(run).count(TaskCompleted.class));
        assertEquals(2, world.history(run).count(InputBuffered.class));
    }

    /** A run that is read anew in the turn that ends it: what the journal tells of would be handed out beside that turn. */
    @Test
    void aTransactionThatTheJournalTellsOfWaitsForTheEndOfTheTurn() {
        SteppedNode node = node(ONE.withShard(ShardConfig.DEFAULT.withCache(1)));
        RunId run = start(node, oneAfterTheOther());
        HandlerExecution first = (HandlerExecution) handlers.remove();
        assertFalse(first.call());
        var _ = ask(node, run, new ControlCommand.TerminateRun("for a test"));

        first.answer();
        node.settleLoops();

        assertEquals(2, world.history(run).count(TaskScheduled.class));
        assertEquals(1, world.history(run).count(RunTerminated.class));
        assertEquals(0, handlers.size());
        assertEquals(List.of("a#1 1"), called);
    }

    /** In batches of one, each of those that waited would else have let the next transaction go first; a deadline, for ever. */
    @Test
    void allThatWaitedIsDecidedBeforeTheNextTransactionBegins() {
        SteppedNode node = node(ONE.withShard(ShardConfig.DEFAULT.withBatch(1)));
        RunId run = start(node, oneAfterTheOther());
        HandlerExecution first = (HandlerExecution) handlers.remove();
        assertFalse(first.call());
        var resumed = ask(node, run, new ControlCommand.ResumeRun("it isn't held"));
        var ended = ask(node, run, new ControlCommand.TerminateRun("for a test"));

        first.answer();
        node.settleLoops();

        assertTrue(resumed.isDone());
        assertTrue(ended.isDone());
        assertEquals(0, handlers.size());
        assertEquals(List.of("a#1 1"), called);
        assertEquals(1, world.history(run).count(RunTerminated.class));
    }

    @Test
    void theNextTransactionBeginsOnceAllThatWaitedIsDecided() {
        SteppedNode node = node(ONE.withShard(ShardConfig.DEFAULT.withBatch(1)));
        RunId run = start(node, oneAfterTheOther());
        HandlerExecution first = (HandlerExecution) handlers.remove();
        assertFalse(first.call());
        for (int i = 0; i < 3; i++) {
            var _ = ask(node, run, new ControlCommand.ResumeRun("it isn't held"));
        }

        first.answer();
        node.settleLoops();

        next(node);
        assertEquals(List.of("a#1 1", "b#1 2"), called);
        assertEquals(2, world.history(run).count(TaskCompleted.class));
    }
}
