package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.ControlBounds;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the engine does around a suspended run: nothing twice, and lists tell the truth. */
final class SuspensionStoryTest {
    private static final Command SUSPEND = new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run");
    private static final Command RESUME = new ControlCommand.ResumeRun("done");

    private final World world = new World();
    private final AtomicInteger calls = new AtomicInteger();
    private final ArrayDeque<HandlerExecution> begun = new ArrayDeque<>();
    private final HandlerRegistry handlers = World.handlers("test.count", call -> {
        calls.incrementAndGet();
        return TaskResult.ok(JsonNull.NULL);
    });
    private final Program one =
            ProgramBuilder.dag("one").task("t", "test.count").edge("start", "t").build();

    /** Its handlers begin as soon as they are handed out, and answer when they are told to. */
    private SteppedNode busyNode(EngineConfig config) {
        SteppedNode node = new SteppedNode(world.clock, config, world.parts(handlers), _ -> this::begin);
        node.settleLoops();
        return node;
    }

    private void begin(Runnable task) {
        if (task instanceof HandlerExecution execution) {
            assertFalse(execution.call());
            begun.add(execution);
        } else {
            task.run();
        }
    }

    private void answer(SteppedNode node) {
        begun.remove().answer();
        node.settleLoops();
    }

    private RunId start(SteppedNode node, Program program) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(program).start());
        node.settleLoops();
        return World.started(answer);
    }

    private CallAnswer.Done call(SteppedNode node, RunId run, Command command) {
        return assertInstanceOf(CallAnswer.Done.class, answer(node, run, command));
    }

    private @Nullable CallAnswer answer(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = node.node().call(request(run, command));
        node.settleLoops();
        return answer.getNow(null);
    }

    private static CallRequest request(RunId run, Command command) {
        return new CallRequest(
                new RunKey(World.TENANT, run),
                command,
                List.of(),
                new Actor("user", "ann"),
                Optional.empty(),
                Optional.empty(),
                Sha256.digest(command.toString().getBytes(StandardCharsets.UTF_8)),
                "outside");
    }

    /** The fault simulator found that a handler was called again whose answer was only waiting. */
    @Test
    void anAttemptWhoseAnswerWaitsIsNotHandedOutAgainWhenItsRunIsLoadedAgain() {
        SteppedNode node = busyNode(EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withCache(1)));
        RunId run = start(node, one);
        call(node, run, SUSPEND);
        answer(node);

        assertTrue(call(node, run, new DataCommand.SetVariables(Map.of("v", new JsonString("x")), "why"))
                .buffered());
        assertEquals(0, begun.size(), "it answered already");
        call(node, run, RESUME);
        node.settle();

        assertEquals(1, calls.get());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    private static Command answer(TaskAnswer answer) {
        return new Command.CompleteTask(ActivationId.parse("t#1"), 1, answer);
    }

    /** The fault simulator found that it began later, under a suspension. */
    @Test
    void anAttemptThatSomebodyElseHasAnsweredForNeverBegins() {
        SteppedNode node = new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(handlers));
        node.settleLoops();
        RunId run = start(node, one);
        assertEquals(1, node.waitingHandlers());

        call(node, run, answer(new TaskAnswer.Skipped("done by hand")));
        node.settle();

        assertEquals(0, calls.get());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    /** The fault simulator found that nobody handed it out again, since its second answer waited for the resume. */
    @Test
    void whatIsGivenBackBeforeAndUnderASuspensionIsHandedOutAtTheResume() {
        SteppedNode node = new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(handlers));
        node.settleLoops();
        RunId run = start(node, one);
        for (Command command : List.of(answer(new TaskAnswer.Returned()), SUSPEND, answer(new TaskAnswer.Returned()))) {
            var _ = node.node().call(request(run, command));
        }
        node.settle();
        assertEquals(0, calls.get());

        call(node, run, RESUME);
        node.settle();

        assertEquals(1, calls.get());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void aTakeoverDoesNotCallAnAttemptLostWhoseAnswerWaits() {
        SteppedNode before = busyNode(EngineConfig.of("one"));
        RunId run = start(before, one);
        call(before, run, SUSPEND);
        answer(before);
        assertEquals(1, world.history(run).count(ControlEvent.InputBuffered.class));

        SteppedNode after = world.node(EngineConfig.of("one"), handlers);
        assertEquals(1, world.history(run).count(ControlEvent.InputBuffered.class));
        call(after, run, RESUME);
        after.settle();

        assertEquals(1, calls.get());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    /** The fault simulator found that it was called though its run had recorded the suspension. */
    @Test
    void whatWaitsForAHandlerIsTakenBackWhenItsRunIsSuspended() {
        SteppedNode node = world.node(EngineConfig.of("one"), handlers);
        RunId run = start(node, one);
        assertEquals(1, node.waitingHandlers());
        call(node, run, SUSPEND);
        node.settle();

        assertEquals(0, calls.get());
        assertEquals(1, world.history(run).count(ControlEvent.InputBuffered.class));

        call(node, run, RESUME);
        node.settle();
        assertEquals(1, calls.get());
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class), "it used up no try");
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    /** Who asks is told so, and asks again; nobody would repeat what a handler answers once. */
    @Test
    void whatHandlersAnswerIsKeptThoughTheRunHoldsAllThatItMay() {
        Bounds few = Bounds.DEFAULT.withControl(new ControlBounds(1, 100));
        SteppedNode node = busyNode(EngineConfig.of("one").withBounds(few));
        RunId run = start(
                node,
                ProgramBuilder.dag("two")
                        .task("a", "test.count")
                        .task("b", "test.count")
                        .edge("start", "a")
                        .edge("start", "b")
                        .build());
        call(node, run, SUSPEND);
        answer(node);
        answer(node);

        assertEquals(2, world.history(run).count(ControlEvent.InputBuffered.class));
        assertEquals(
                "SUSPENDED",
                assertInstanceOf(
                                CallAnswer.Refused.class,
                                answer(node, run, new DataCommand.SetVariables(Map.of("v", JsonNull.NULL), "why")))
                        .code());
        call(node, run, RESUME);
        node.settle();
        assertEquals(2, calls.get());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    /** A reminder that stands still isn't due; when the run goes on it is due later than before. */
    @Test
    void listsShowWhenSomethingIsDueAlsoAfterASuspension() {
        Reminder soon = new Reminder("soon", new JsonString("PT1H"), new Reminder.Action.Remind());
        Program asks = ProgramBuilder.dag("asks")
                .human("h", new JsonArray(List.of(new JsonString("ann"))), new Quorum.One(), soon)
                .edge("start", "h")
                .build();
        SteppedNode node = world.node("one");
        Instant begun = world.clock.now();
        RunId run = start(node, asks);
        assertEquals(Optional.of(begun.plus(Duration.ofHours(1))), due(run));

        node.advance(Duration.ofMinutes(10));
        call(node, run, SUSPEND);
        assertEquals(Optional.empty(), due(run));

        node.advance(Duration.ofMinutes(30));
        call(node, run, RESUME);
        assertEquals(Optional.of(begun.plus(Duration.ofMinutes(90))), due(run));
    }

    private Optional<Instant> due(RunId run) {
        try {
            return world.ports
                    .humanTasks()
                    .tasks(World.TENANT, HumanTaskFilter.ALL.ofRun(run), Optional.empty(), 10)
                    .getFirst()
                    .task()
                    .dueAt();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }
}
