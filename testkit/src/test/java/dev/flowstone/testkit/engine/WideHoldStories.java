package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What stories of held scopes share (R25): a type that is held and one that is free, and who was called. */
abstract class WideHoldStories {
    static final Actor ANN = new Actor("user", "ann");
    static final SettingScope TYPE = new SettingScope.Workflow(World.TENANT, new WorkflowId("held"));
    static final SettingScope SYSTEM = new SettingScope.Everything();
    static final HoldPolicy REJECT = new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.REJECT);
    final World world = new World();
    final List<RunId> called = new ArrayList<>();
    final HandlerRegistry handlers = World.handlers("test.count", call -> {
        called.add(call.run());
        return TaskResult.ok(JsonNull.NULL);
    });
    final Program held = task("held");
    final Program free = task("free");

    static Program task(String name) {
        return ProgramBuilder.dag(name)
                .retry(new Retry(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false))
                .task("t", "test.count")
                .edge("start", "t")
                .build();
    }

    SteppedNode node(String name) {
        return world.node(EngineConfig.of(name), handlers);
    }

    RunId start(SteppedNode node, Program program) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(program).start());
        node.settleLoops();
        return World.started(answer);
    }

    static SettingRequest suspend(SettingScope scope) {
        return SettingRequest.suspend(scope, HoldPolicy.DEFAULT, "audit", ANN);
    }

    static SettingRequest resume(SettingScope scope) {
        return SettingRequest.resume(scope, "done", ANN);
    }

    /** By the node's own door. */
    static long change(SteppedNode node, SettingRequest request) {
        try {
            return node.node().control().change(request);
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    /** By another node's. */
    void elsewhere(SettingRequest request) {
        try {
            world.ports.settings().append(request);
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    List<Long> acknowledged() {
        try {
            return world.ports.settings().acknowledgements().stream()
                    .map(ShardAcknowledgement::number)
                    .toList();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    RunStatus status(RunId run) {
        return world.row(run).status();
    }

    static void call(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        ANN,
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.digest(command.toString().getBytes(StandardCharsets.UTF_8)),
                        "outside"));
        node.settleLoops();
        assertFalse(answer.getNow(null) instanceof CallAnswer.Busy, () -> "not " + answer.getNow(null));
    }
}
