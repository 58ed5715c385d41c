package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.triggers.condition.Activation;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What triggers start at this node. */
final class LauncherTest {
    private static final Lease ALL = new Lease(new Shard(new ShardId(0), 0, 4_095, 0), "node", 1, Instant.MAX);

    private final SilentShards silent = new SilentShards(() -> List.of(ALL), () -> 0);

    private static <T> T unasked(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            throw new AssertionError(method + " is asked");
        }));
    }

    @Test
    void aShardThatIsSilentIsNotAsked() throws Exception {
        Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();
        Workflows workflows = new Workflows(ports.workflows(), unasked(DefinitionCompiler.class), ports.clock());
        Engine engine = unasked(Engine.class);
        Activation activation = new Activation(new ScriptExpressions());
        Launcher launcher = new Launcher(
                activation,
                new Starts(ports, workflows, new Programs(ports.workflows()), engine, false),
                new SignalSender(engine, activation, silent),
                new FakeLetters().arrivals(true),
                silent);
        Trigger trigger = SomeTriggers.trigger();
        Arrival arrival = Arrival.ofEvent(trigger.key(), "e", Instant.EPOCH);
        assertEquals("WORKFLOW_NOT_FOUND", code(launcher, trigger, arrival));
        String _ = silent.ask(
                RequestSlot.of(trigger.key().tenant(), Launcher.requestId(arrival)), "hangs", "", () -> "hangs");
        assertEquals("BUSY", code(launcher, trigger, arrival));
    }

    private static String code(Launcher launcher, Trigger trigger, Arrival arrival) throws Exception {
        return launcher.launch(trigger, arrival, JsonObject.EMPTY, "c", () -> true)
                .result()
                .code()
                .orElse("");
    }
}
