package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes whose clocks are wrong: it is the database's time that counts. */
final class ClockStoryTest {
    private static final Duration WRONG = Duration.ofDays(1);

    private final World world = new World();
    private final VirtualClock own = new VirtualClock(world.clock.now());
    private final SteppedNode node = node();
    private final Published waiting = world.publish(ProgramBuilder.dag("waiting")
            .timer("wait", Duration.ofSeconds(10))
            .edge("start", "wait")
            .build());

    private SteppedNode node() {
        Ports ports = new Ports(
                world.ports.journal(),
                world.ports.leases(),
                world.ports.outbox(),
                world.ports.inbox(),
                world.ports.runs(),
                world.ports.humanTasks(),
                world.ports.feed(),
                world.ports.workflows(),
                own);
        return new SteppedNode(
                own, EngineConfig.of("a"), EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()));
    }

    private RunId start() {
        CompletableFuture<StartAnswer> answer = node.node().start(waiting.start());
        node.settleLoops();
        return World.started(answer);
    }

    private Instant timeOfFirstEvent(RunId run) {
        return world.history(run).events().getFirst().header().eventTime();
    }

    private void pass(Duration time) {
        world.clock.advance(time);
        own.advance(time);
        node.settleLoops();
    }

    @Test
    void theFirstDecisionOfANodeThatIsADayAheadHasTheRightTime() {
        own.advance(WRONG);
        node.settleLoops();

        RunId run = start();
        pass(Duration.ofSeconds(10));

        assertEquals(world.clock.now().minusSeconds(10), timeOfFirstEvent(run));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void timeGoesOnWhenAClockThatWasAheadIsPutRight() {
        node.settleLoops();
        start();
        own.advance(WRONG);
        node.settleLoops();
        start();
        own.set(world.clock.now());
        node.settleLoops();
        start();

        RunId run = start();
        pass(Duration.ofSeconds(10));

        assertEquals(world.clock.now().minusSeconds(10), timeOfFirstEvent(run));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }
}
