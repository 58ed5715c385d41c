package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What operators do to runs, with nodes that die in between: suspend, drain, roll back, undo (R22–R25). */
final class ControlEngineStoryTest {
    private static final Program UNDOABLE = ProgramText.program("""
            id: undoable
            flow:
              a: {task: acme.a, retry: 3, compensate: {handler: acme.undo-a, retry: 3}, to: b}
              b: {task: acme.b, retry: 3, compensate: {handler: acme.undo-b, retry: 3}, to: wait}
              wait: {timer: 1h, to: done}
              done: {end: success}
            """);

    private final World world = new World(2);
    private final List<String> calls = new ArrayList<>();

    private TaskHandler noting(String name) {
        return call -> {
            calls.add(name);
            return TaskResult.ok(JsonObject.EMPTY);
        };
    }

    private HandlerRegistry handlers() {
        HandlerRegistry.Builder all = HandlerRegistry.builder().addAll(BuiltInActions.registry());
        for (String name : List.of("acme.a", "acme.b", "acme.undo-a", "acme.undo-b")) {
            all.action(new ActionDescription(new HandlerName(name), "For a test.", List.of()), noting(name));
        }
        return all.build();
    }

    private SteppedNode node() {
        return world.node(EngineConfig.of("one"), handlers());
    }

    private static void crash(SteppedNode node) {
        node.node().loops().forEach(loop -> loop.end("crashed"));
    }

    /** The node dies without a last word, and another takes over what stands in the database. */
    private SteppedNode takeover(SteppedNode before) {
        crash(before);
        world.clock.advance(Duration.ofSeconds(40));
        return node();
    }

    private RunId start(SteppedNode node, Program program) {
        var answer = node.node().start(world.publish(program).start());
        node.settle();
        return World.started(answer);
    }

    private static CompletableFuture<CallAnswer> call(SteppedNode node, RunId run, Command command) {
        return node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        new Actor("user", "ada"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "c"));
    }

    private static CallAnswer.Done ask(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = call(node, run, command);
        node.settle();
        return assertInstanceOf(CallAnswer.Done.class, answer.join());
    }

    private static void refused(String code, SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = call(node, run, command);
        node.settle();
        CallAnswer.Refused refused = assertInstanceOf(CallAnswer.Refused.class, answer.join());
        assertEquals(code, refused.code(), refused::reason);
    }

    private void untilOver(SteppedNode node, RunId run) {
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(5));
    }

    private static ControlCommand suspend() {
        return new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "why", "run");
    }

    @Test
    void aSuspendedRunStaysSoOnTheNextNodeAndItsTimersKeepTheirTime() {
        SteppedNode node = node();
        RunId run = start(node, UNDOABLE);
        ask(node, run, suspend());

        SteppedNode other = takeover(node);
        other.advance(Duration.ofDays(1));
        assertEquals(RunStatus.RUNNING, world.row(run).status(), "its timer is frozen");
        refused("SUSPENDED", other, run, new ControlCommand.RollBack(new NodeId("a"), "why"));
        ask(other, run, new ControlCommand.ResumeRun("on"));
        other = takeover(other);
        other.advance(Duration.ofMinutes(58));
        assertFalse(world.row(run).status().isFinal(), "an hour was left, and forty seconds are over");
        other.advance(Duration.ofMinutes(2));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(List.of("acme.a", "acme.b"), calls);
    }

    @Test
    void inputThatWaitsForTheResumeOutlivesItsNodeAndSpeaksForItsSender() {
        Program review = ProgramText.program("""
                id: review
                flow:
                  ask: {human: [ann], on: {approved: done, rejected: sorry}}
                  done: {end: success}
                  sorry: {end: success}
                """);
        SteppedNode node = node();
        RunId run = start(node, review);
        ask(node, run, suspend());
        CallAnswer.Done decided = decide(node, run);
        assertTrue(decided.buffered());

        SteppedNode other = takeover(node);
        assertEquals(0, world.history(run).count(HumanEvent.HumanDecided.class));
        ask(other, run, new ControlCommand.ResumeRun("on"));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                "user:ann",
                world.history(run)
                        .all(HumanEvent.HumanDecided.class)
                        .getFirst()
                        .as()
                        .orElseThrow()
                        .toString());
    }

    private static CallAnswer.Done decide(SteppedNode node, RunId run) {
        CompletableFuture<CallAnswer> answer = node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        new HumanCommand.Decide(
                                ActivationId.parse("ask#1"),
                                new Outcome("approved"),
                                Set.of(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                false),
                        List.of(),
                        new Actor("user", "ann"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "c"));
        node.settle();
        return assertInstanceOf(CallAnswer.Done.class, answer.join());
    }

    /** The attempt dies with its node; the next one is live work that may finish, what follows it is not begun. */
    @Test
    void aDrainOutlivesTheNodeWhoseWorkItWaitedFor() {
        SteppedNode node = new SteppedNode(world.clock, EngineConfig.of("one"), world.parts(handlers()));
        node.settle();
        var answer = node.node().start(world.publish(UNDOABLE).start());
        node.settleLoops();
        RunId run = World.started(answer);
        CompletableFuture<CallAnswer> drained =
                call(node, run, new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "release", "run"));
        node.settleLoops();
        assertInstanceOf(CallAnswer.Done.class, drained.join());
        assertEquals(List.of(), calls, "the attempt waits for a thread");

        SteppedNode other = takeover(node);
        other.advance(Duration.ofMinutes(1));

        assertEquals(List.of("acme.a"), calls);
        assertEquals(1, world.history(run).count(ControlEvent.RunSuspended.class), "it is quiet now");
        other = takeover(other);
        assertEquals(List.of("acme.a"), calls);
        ask(other, run, new ControlCommand.ResumeRun("on"));
        untilOver(other, run);
        assertEquals(List.of("acme.a", "acme.b"), calls);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void aDrainThatTakesTooLongSuspendsOnTheNextNode() {
        SteppedNode node = node();
        RunId run = start(node, ProgramText.program("""
                id: slow
                flow:
                  work: {task: core.echo, to: wait}
                  wait: {timer: 5h, to: done}
                  done: {end: success}
                """));
        ask(node, run, new ControlCommand.DrainRun(HoldPolicy.DEFAULT, Duration.ofHours(1), "release", "run"));

        SteppedNode other = takeover(node);
        other.advance(Duration.ofHours(2));

        assertEquals(1, world.history(run).count(ControlEvent.RunSuspended.class));
        other.advance(Duration.ofHours(10));
        assertEquals(RunStatus.RUNNING, world.row(run).status());
    }

    /** The node dies with the undoing under way: the next one undoes what is left, newest first, and goes on from the mark. */
    @Test
    void aRollbackGoesOnWhereItsNodeDied() {
        SteppedNode node = node();
        RunId run = start(node, UNDOABLE);
        CompletableFuture<CallAnswer> answer = call(node, run, new ControlCommand.RollBack(new NodeId("a"), "wrong"));
        node.settleLoops();
        assertInstanceOf(CallAnswer.Done.class, answer.join());
        assertEquals(1, node.waitingHandlers(), "the newest is being undone");

        SteppedNode other = takeover(node);
        other.advance(Duration.ofMinutes(1));

        assertEquals(List.of("acme.a", "acme.b", "acme.undo-b", "acme.undo-a", "acme.a", "acme.b"), calls);
        assertEquals(1, world.history(run).count(ControlEvent.RolledBack.class));
        untilOver(other, run);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void aCanceledRunIsUndoneOnTheNextNode() {
        SteppedNode node = node();
        RunId run = start(node, UNDOABLE);
        CompletableFuture<CallAnswer> answer =
                call(node, run, new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty()));
        node.settleLoops();
        assertInstanceOf(CallAnswer.Done.class, answer.join());

        SteppedNode other = takeover(node);
        untilOver(other, run);

        assertEquals(RunStatus.CANCELED, world.row(run).status());
        assertEquals(List.of("acme.a", "acme.b", "acme.undo-b", "acme.undo-a"), calls);
        assertEquals(2, world.history(run).count(CompensationEvent.CompensationApplied.class));
        assertEquals(
                List.of("a#1/1", "b#1/1", "b#-1/1", "b#-1/2", "a#-1/1"),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(it -> it.activation() + "/" + it.attempt())
                        .toList(),
                "the attempt that died with its node is lost, like any other");
    }

    @Test
    void aTerminatedRunUndoesNothing() {
        SteppedNode node = node();
        RunId run = start(node, UNDOABLE);
        ask(node, run, new ControlCommand.TerminateRun("enough"));

        takeover(node).advance(Duration.ofHours(2));

        assertEquals(RunStatus.TERMINATED, world.row(run).status());
        assertEquals(List.of("acme.a", "acme.b"), calls);
    }

    /** Before its start has committed there is no such run, and nothing of it is kept: whoever asked has to ask again. */
    @Test
    void whatIsAskedOfARunBeforeItsStartIsNotFound() {
        SteppedNode node = node();
        RunId none = RunId.of(world.clock.now(), new Slot(1), 7);
        CompletableFuture<CallAnswer> asked = call(node, none, new ControlCommand.TerminateRun("too early"));
        node.settleLoops();

        assertEquals(
                "NOT_STARTED",
                assertInstanceOf(CallAnswer.Refused.class, asked.getNow(null)).code());
        assertEquals(RunStatus.RUNNING, world.row(start(node, UNDOABLE)).status());
    }
}
