package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.SmallPrograms.HANDLER;
import static dev.flowstone.testkit.engine.SmallPrograms.attempts;
import static dev.flowstone.testkit.engine.SmallPrograms.one;
import static dev.flowstone.testkit.engine.World.start;
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
import dev.flowstone.engine.task.RemoteBeat;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteName;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Attempts in the hands of workers outside: whose they are, until when, and what becomes of them. */
final class RemoteTaskStoryTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String OTHER = "test.other";

    private final World world = new World();

    private SteppedNode node(String name) {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder().addAll(BuiltInActions.registry());
        for (String action : List.of(HANDLER, OTHER)) {
            handlers.remote(new ActionDescription(new HandlerName(action), "For a test.", List.of()));
        }
        return world.node(EngineConfig.of(name), handlers.build());
    }

    private static List<RemoteTask> claim(SteppedNode node, TenantId tenant, int most, String... actions) {
        List<HandlerName> names =
                List.of(actions).stream().map(HandlerName::new).toList();
        try {
            return node.node()
                    .remoteTasks()
                    .claim(new RemoteClaim(tenant, "worker", names, most, LEASE), Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static RemoteTask claimOne(SteppedNode node) {
        List<RemoteTask> claimed = claim(node, World.TENANT, 10, HANDLER);
        assertEquals(1, claimed.size());
        return claimed.getFirst();
    }

    private static void assertNothingWaits(SteppedNode node) {
        assertEquals(List.of(), claim(node, World.TENANT, 10, HANDLER));
        assertEquals(0, node.node().remoteTasks().waiting());
    }

    private static RemoteName name(RemoteTask task) {
        return new RemoteName(
                new RunKey(task.call().tenant(), task.call().run()),
                task.call().activation(),
                task.call().attempt());
    }

    private static RemoteBeat beat(SteppedNode node, RemoteTask task) {
        return node.node().remoteTasks().heartbeat(name(task), task.lease(), LEASE);
    }

    /** Time in small steps, so that the node keeps its shards. */
    private static void pass(SteppedNode node, Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            node.advance(Duration.ofSeconds(1));
            node.node().remoteTasks().expire();
            node.settle();
        }
    }

    private static CallAnswer ask(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        new Actor("service", "worker"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "a correlation"));
        node.settle();
        return answer.join();
    }

    private static CallAnswer succeed(SteppedNode node, RemoteTask task) {
        TaskAnswer ok = new TaskAnswer.Ok(Payload.of(new JsonString("done")));
        return ask(
                node,
                task.call().run(),
                new Command.CompleteTask(task.call().activation(), task.call().attempt(), ok));
    }

    private static void cancel(SteppedNode node, RunId run) {
        ask(node, run, new ControlCommand.CancelRun("enough", ControlCommand.Undo.SKIP, Optional.empty()));
    }

    @Test
    void aWorkerGetsWhatWaitsOnceAndItsAnswerMovesTheRun() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(3), LONG)));

        RemoteTask task = claimOne(node);
        assertNothingWaits(node);
        assertInstanceOf(CallAnswer.Done.class, succeed(node, task));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(0, node.node().remoteTasks().held());
        assertInstanceOf(RemoteBeat.Gone.class, beat(node, task));
        CallAnswer.Done again = assertInstanceOf(CallAnswer.Done.class, succeed(node, task));
        assertEquals(List.of(), again.events(), "the same answer twice changes nothing");
    }

    @Test
    void whatASilentWorkerHoldsIsLostAndAnotherGetsTheNextAttempt() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(2), LONG)));
        RemoteTask first = claimOne(node);

        pass(node, LEASE.minusSeconds(1));
        assertNothingWaits(node);
        pass(node, Duration.ofSeconds(2));

        RemoteTask second = claimOne(node);
        assertEquals(2, second.call().attempt());
        assertEquals(first.call().key(), second.call().key());
        assertInstanceOf(RemoteBeat.Gone.class, beat(node, first));
        succeed(node, second);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    /** It may be dead, with its request still waiting: the next attempt would be handed to nobody. */
    @Test
    void noClaimOfASilentWorkerWaitsOn() throws InterruptedException {
        SteppedNode node = node("one");
        start(node, world.publish(one(attempts(2), LONG)));
        claimOne(node);
        RemoteClaim more = new RemoteClaim(World.TENANT, "worker", List.of(new HandlerName(HANDLER)), 1, LEASE);
        List<RemoteTask> handed = new CopyOnWriteArrayList<>();
        Thread request = Thread.ofPlatform().start(() -> {
            try {
                handed.addAll(node.node().remoteTasks().claim(more, Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (request.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        pass(node, LEASE.plusSeconds(1));
        request.join(Duration.ofSeconds(20));

        assertEquals(List.of(), handed);
        assertEquals(2, claimOne(node).call().attempt());
    }

    @Test
    void whoIsHeardOfKeepsItForAsLongAsItTakes() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(1), LONG)));
        RemoteTask task = claimOne(node);

        for (int i = 0; i < 20; i++) {
            pass(node, LEASE.dividedBy(2));
            assertEquals(new RemoteBeat.Held(task.lease(), false), beat(node, task));
        }

        succeed(node, task);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void itsTimeoutCountsFromTheClaimNotFromTheWait() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(1), Duration.ofSeconds(5))));
        pass(node, Duration.ofSeconds(30));
        assertEquals(RunStatus.RUNNING, world.row(run).status());

        RemoteTask task = claimOne(node);
        pass(node, Duration.ofSeconds(4));
        assertInstanceOf(RemoteBeat.Held.class, beat(node, task));
        pass(node, Duration.ofSeconds(7));

        assertInstanceOf(RemoteBeat.Gone.class, beat(node, task));
        assertEquals(RunStatus.FAILED, world.row(run).status());
    }

    @Test
    void whatIsGivenBackUsesUpNothing() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(1), LONG)));
        RemoteTask first = claimOne(node);

        assertTrue(node.node().remoteTasks().giveBack(name(first), first.lease()));
        node.settle();

        RemoteTask again = claimOne(node);
        assertEquals(1, again.call().attempt());
        assertFalse(node.node().remoteTasks().giveBack(name(first), first.lease()), "it is in somebody else's hands");
        assertInstanceOf(RemoteBeat.Gone.class, beat(node, first));
        succeed(node, again);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void oneThatIsCanceledWhileItWaitsIsNotHandedOut() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(3), LONG)));

        cancel(node, run);

        assertNothingWaits(node);
        assertEquals(RunStatus.CANCELED, world.row(run).status());
    }

    @Test
    void oneThatIsCanceledInItsWorkersHandsIsWaitedForAndItsWorkerHearsOfIt() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(3), LONG)));
        RemoteTask task = claimOne(node);

        cancel(node, run);

        assertEquals(new RemoteBeat.Held(task.lease(), true), beat(node, task));
        succeed(node, task);
        assertEquals(RunStatus.CANCELED, world.row(run).status());
        assertEquals(0, node.node().remoteTasks().held());
    }

    @Test
    void aSuccessThatComesAfterItWasGivenUpCountsAndNobodyMakesTheNextAttempt() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(3), LONG)));
        RemoteTask first = claimOne(node);
        pass(node, LEASE.plusSeconds(1));
        assertEquals(1, node.node().remoteTasks().waiting(), "the second attempt");

        succeed(node, first);

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertNothingWaits(node);
        assertEquals(1, world.history(run).count(EventBody.TaskCompleted.class));
    }

    @Test
    void aFailureEndsTheAttemptAtOnceAndTheNextOneComesAfterItsPause() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(2), LONG)));
        RemoteTask first = claimOne(node);
        TaskAnswer failed =
                new TaskAnswer.Failed(FailureClass.RETRYABLE, TaskError.of("SHAKY", "not this time"), Optional.empty());

        ask(node, run, new Command.CompleteTask(first.call().activation(), 1, failed));

        assertEquals(0, node.node().remoteTasks().held());
        assertInstanceOf(RemoteBeat.Gone.class, beat(node, first));
        assertNothingWaits(node);
        pass(node, Duration.ofSeconds(2));
        RemoteTask second = claimOne(node);
        assertEquals(2, second.call().attempt());
        succeed(node, second);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void anAnswerThatASuspendedRunKeepsForLaterIsNoSilence() {
        SteppedNode node = node("one");
        RunId run = start(node, world.publish(one(attempts(1), LONG)));
        RemoteTask task = claimOne(node);
        ask(node, run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));

        CallAnswer.Done kept = assertInstanceOf(CallAnswer.Done.class, succeed(node, task));
        assertTrue(kept.buffered());
        assertEquals(0, node.node().remoteTasks().held());
        pass(node, LEASE.plusSeconds(5));
        ask(node, run, new ControlCommand.ResumeRun("done"));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertNothingWaits(node);
    }

    @Test
    void aWorkerThatOutlivesItsNodeKeepsWhatItHas() {
        SteppedNode before = node("one");
        RunId run = start(before, world.publish(one(attempts(1), LONG)));
        RemoteTask task = claimOne(before);
        before.node().beginStop();
        before.settle();
        before.node().giveBack();
        before.settle();
        before.node().release();

        SteppedNode after = node("one");
        RemoteBeat.Held held = assertInstanceOf(RemoteBeat.Held.class, beat(after, task));

        assertFalse(held.lease().equals(task.lease()));
        assertNothingWaits(after);
        succeed(after, task);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void anotherNodeKnowsNothingOfWhatItDidNotHandOut() {
        SteppedNode before = node("one");
        RunId run = start(before, world.publish(one(attempts(1), LONG)));
        RemoteTask task = claimOne(before);
        succeed(before, task);
        World.crash(before);

        assertInstanceOf(RemoteBeat.Unknown.class, beat(node("one"), task));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    @Test
    void tenantsGetOnlyTheirOwnAndActionsTakeTurns() {
        SteppedNode node = node("one");
        ProgramBuilder program = ProgramBuilder.dag("wide");
        for (int i = 0; i < 6; i++) {
            program.task("a" + i, HANDLER).edge("start", "a" + i);
            program.task("b" + i, OTHER).edge("start", "b" + i);
        }
        start(node, world.publish(program.build()));

        assertEquals(List.of(), claim(node, new TenantId("stranger"), 100, HANDLER, OTHER));
        List<RemoteTask> some = claim(node, World.TENANT, 4, HANDLER, OTHER);
        List<RemoteTask> others = claim(node, World.TENANT, 100, OTHER);

        assertEquals(2, some.stream().filter(RemoteTaskStoryTest::isOther).count());
        assertEquals(4, others.stream().filter(RemoteTaskStoryTest::isOther).count());
        assertEquals(4, others.size());
        assertEquals(4, node.node().remoteTasks().waiting());
    }

    private static boolean isOther(RemoteTask task) {
        return task.call().handler().value().equals(OTHER);
    }
}
