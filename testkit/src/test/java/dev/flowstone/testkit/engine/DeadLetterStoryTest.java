package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of what a shard can't take up. */
final class DeadLetterStoryTest {
    private static final Duration LONG = Duration.ofHours(2);
    private static final Deed DEED = new Deed(new Actor("user", "ann"), "it is mended");

    private final World world = new World();
    private final FaultyPrograms programs = new FaultyPrograms(world.ports.workflows());
    private final SteppedNode node = new SteppedNode(world.clock, EngineConfig.of("one"), parts());

    private EngineParts parts() {
        Ports real = world.ports;
        Ports ports = new Ports(
                real.journal(),
                real.leases(),
                real.outbox(),
                real.inbox(),
                real.runs(),
                real.humanTasks(),
                real.feed(),
                programs,
                real.clock(),
                real.subjects(),
                real.transactions(),
                real.settings(),
                real.policies(),
                real.projections(),
                real.deadLetters());
        return EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry())
                .withSchedules(new CronSchedules())
                .withRandom(new SplittableRandom(3));
    }

    private List<DeadLetter> letters() throws Exception {
        return world.ports.deadLetters().control().list(World.TENANT, Filter.ALL, 0, 100);
    }

    private void requeue(DeadLetter letter) throws Exception {
        assertEquals(
                1,
                world.ports
                        .deadLetters()
                        .control()
                        .requeue(World.TENANT, Filter.of(letter.id()), 1, Duration.ZERO, DEED));
    }

    private void retry() {
        for (int i = 0; i < 3; i++) {
            int _ = node.node().retryDeadLetters();
            node.advance(Duration.ofSeconds(1));
        }
    }

    /** cases.md 14: nothing is orphaned. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChildThatItsCallerHasGivenUpIsNotBegun(boolean inTime) throws Exception {
        Published child = world.publish(ProgramBuilder.sequence("child", 1, "core.echo"));
        Published parent = world.publish(ProgramBuilder.dag("parent")
                .call("call", "child", Map.of(), true, Optional.of(Duration.ofMinutes(1)), ChildPolicies.CASCADE)
                .timer("rest", LONG)
                .edge("start", "call")
                .edge("call", "rest", Outcome.ALWAYS, Optional.empty())
                .build());
        programs.damage(child.hash());
        node.settle();
        RunId run = World.start(node, parent);
        node.settle();
        assertEquals(1, letters().size(), "its start");
        RunId called = world.history(run)
                .all(MessageEvent.ChildStarted.class)
                .getFirst()
                .child();
        if (!inTime) {
            node.advance(Duration.ofSeconds(61));
            node.advance(Duration.ofSeconds(10));
            assertEquals(1, world.history(run).count(MessageEvent.CallTimedOut.class));
            assertEquals(RunStatus.RUNNING, world.row(run).status(), "it goes on without it");
            assertEquals(2, letters().size(), "that it is to end stands behind its start");
        }

        programs.mend();
        requeue(letters().getFirst());
        retry();

        assertEquals(inTime, world.ports.runs().run(World.TENANT, called).isPresent());
        assertEquals(List.of(), letters());
    }

    @Test
    void whatIsNoLetterIsKeptTooForARunThatIsSetAside() throws Exception {
        Published waiting = world.publish(ProgramBuilder.dag("waiting")
                .timer("rest", LONG)
                .edge("start", "rest")
                .build());
        node.settle();
        RunId run = World.start(node, waiting);
        World.crash(node);
        RunKey key = new RunKey(World.TENANT, run);
        world.database.corrupt(key, 0, 40);
        SteppedNode after = world.node("one");
        SubjectMessage changed = new SubjectMessage(4);
        boolean _ = world.ports
                .inbox()
                .accept(new InboxMessage(
                        changed.key(key), run, SubjectMessage.KIND, changed.content(), world.clock.now()));
        after.advance(Duration.ofSeconds(10));

        List<DeadLetter> kept = letters().stream()
                .filter(letter -> letter.source().equals(DeadSource.MESSAGE))
                .toList();
        assertEquals(1, kept.size(), letters()::toString);
        assertEquals(changed.content(), kept.getFirst().payload().get("content"));
        world.database.corrupt(key, 0, 40);
        var _ = after.node().mend(new MendRequest(key, MendRequest.Act.REENQUEUE, Actor.ENGINE, "for a test"));
        after.settle();
        int _ = after.node().retryDeadLetters();
        after.settle();
        after.advance(Duration.ofSeconds(10));
        after.settle();

        assertTrue(
                letters().stream().noneMatch(letter -> letter.source().equals(DeadSource.MESSAGE)),
                "due when its run was taken up, and taken up");
        DeadLetter still = letters().getFirst();
        assertEquals(State.WAITING, still.state(), "it is a letter until it has gone on for a while");
        assertEquals(RunStatus.RUNNING, world.row(run).status());
        assertEquals(0, world.history(run).count(EventBody.TaskFailed.class));
    }
}
