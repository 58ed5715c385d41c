package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs of two programs, the second of which the first may be moved to, on nodes that die. */
final class MigrationStory {
    static final Program SHORT = ProgramText.program("""
            id: order
            flow:
              wait: {timer: 1h, to: b}
              b: {task: core.echo, to: done}
              done: {end: success}
            """);
    static final Program LONGER = ProgramText.program("""
            id: order
            flow:
              pause: {timer: 1h, to: b}
              b: {task: core.echo, to: extra}
              extra: {task: core.echo, to: done}
              done: {end: success}
            """);
    /** From the first to the second. */
    static final Map<String, String> RENAMED = Map.of("wait", "pause");

    final World world = new World(2);

    RunId start(SteppedNode node, Published program) {
        var answer = node.node().start(program.start());
        node.settle();
        return World.started(answer);
    }

    Published next(Program program) {
        return Published.next(world.ports.workflows(), World.TENANT, program, world.clock.now());
    }

    static ControlCommand migrate(Published to, Map<String, String> names) {
        Map<NodeId, NodeId> nodes = new HashMap<>();
        names.forEach((old, now) -> nodes.put(new NodeId(old), new NodeId(now)));
        return new ControlCommand.MigrateRun(to.hash(), to.version(), nodes);
    }

    static CompletableFuture<CallAnswer> call(SteppedNode node, RunId run, Command command) {
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

    static CallAnswer ask(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = call(node, run, command);
        node.settle();
        return answer.join();
    }

    static void refused(String code, String reason, CallAnswer answer) {
        CallAnswer.Refused refused = assertInstanceOf(CallAnswer.Refused.class, answer);
        assertEquals(code, refused.code(), refused::reason);
        assertTrue(refused.reason().contains(reason), refused::reason);
    }

    SteppedNode takeover(SteppedNode before, EngineConfig config) {
        before.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofMinutes(1));
        return world.node(config, BuiltInActions.registry());
    }

    static EngineConfig quiet(int quietEvents) {
        return EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withSnapshots(10_000, quietEvents));
    }

    void finishesOnTheNewProgram(SteppedNode node, RunId run, Published to) {
        finishes(node, run, to, "b", "extra");
    }

    void finishes(SteppedNode node, RunId run, Published to, String... tasks) {
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(2));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(to.version(), world.row(run).version());
        assertEquals(to.hash(), world.row(run).program());
        assertEquals(
                List.of(tasks),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(it -> it.activation().node().value())
                        .toList());
        assertTrue(whole(), "the chain is whole");
    }

    private boolean whole() {
        try {
            return new ChainVerifier(EntrySource.of(world.ports.runs(), World.TENANT))
                    .all()
                    .whole();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }
}
