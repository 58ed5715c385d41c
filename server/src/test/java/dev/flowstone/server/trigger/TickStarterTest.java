package dev.flowstone.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.trigger.TickAttempt.Ended;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.triggers.condition.Activation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Ticks at the door that all triggers have. */
final class TickStarterTest {
    private static final Instant NOW = FakeSchedules.NOW;
    private static final TenantId TENANT = new TenantId("acme");
    private static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();
    private static final Dialects DIALECTS = new Dialects(
            new DagDialect(EXPRESSIONS),
            DagOptions.DEFAULT,
            new StatesDialect(EXPRESSIONS),
            StatesOptions.DEFAULT,
            ActionCatalog.of(List.of("core.echo")));

    private final Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();

    private Launcher launcher(FlowstoneEngine engine) throws Exception {
        Workflows workflows = new Workflows(ports.workflows(), DIALECTS, ports.clock());
        workflows.save(TENANT, """
                {"id": "order", "displayName": "o", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""".getBytes(UTF_8), OptionalLong.empty());
        workflows.publish(TENANT, new WorkflowId("order"), true, OptionalLong.empty());
        Programs lost =
                new Programs(new InMemoryDatabase(Clock.SYSTEM, 1).ports().workflows());
        Activation activation = new Activation(EXPRESSIONS);
        SilentShards silent = new SilentShards(engine::leases, System::nanoTime);
        return new Launcher(
                activation,
                new Starts(ports, workflows, lost, engine, false),
                new SignalSender(engine, activation, silent),
                new LostArrivals(ports.deadLetters(), DeadLetterConfig.DEFAULT),
                silent);
    }

    private static OpenTick tick(int seconds, Optional<Instant> firstTried) {
        return OpenTickExamples.tick(TENANT.value(), 0, NOW.minusSeconds(seconds), firstTried);
    }

    @Test
    void whatFailsOnTheWayIsTriedAgainAndIsNoDeadLetterMeanwhile() throws Exception {
        try (FlowstoneEngine engine = FlowstoneEngine.start(
                EngineConfig.of("one"), EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()))) {
            TickAttempt attempt = new TickAttempt(TickStarter.of(launcher(engine)), new RulesCache());

            assertEquals(
                    new Ended.Later(Duration.ZERO, false),
                    attempt.at(tick(1, Optional.empty()), NOW),
                    "its program can't be read just then");
            Ended.Over over = assertInstanceOf(
                    Ended.Over.class, attempt.at(tick(4_000, Optional.of(NOW.minusSeconds(3_700))), NOW));

            assertEquals(Optional.of("INTERNAL"), over.result().code());
            assertEquals(List.of(), letters());
        }
    }

    private List<?> letters() throws Exception {
        DeadLetterStore store = ports.deadLetters();
        return store.control().list(TENANT, Filter.ALL, 0, 10);
    }
}
