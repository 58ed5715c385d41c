package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R26 in the engine: a run begins at a recorded point of another one, whose history stays as it is. */
final class ResetStoryTest {
    private static final Program WORK = ProgramBuilder.dag("work")
            .task("a", "core.echo")
            .timer("wait", Duration.ofHours(1))
            .task("b", "core.echo")
            .edge("start", "a")
            .edge("a", "wait")
            .edge("wait", "b")
            .build();

    private final World world = new World(4);

    private static StartAnswer reset(SteppedNode node, TenantId tenant, RunId from, long sequence, String key) {
        CompletableFuture<StartAnswer> answer = node.node()
                .reset(new ResetRequest(
                        tenant,
                        from,
                        sequence,
                        key.isEmpty() ? Optional.empty() : Optional.of(key),
                        new Actor("user", "ada"),
                        "again"));
        node.settle();
        return answer.join();
    }

    private static RunId begun(StartAnswer answer) {
        return assertInstanceOf(StartAnswer.Started.class, answer).run();
    }

    private RunId waiting(SteppedNode node) {
        var answer = node.node().start(world.publish(WORK).start());
        node.settle();
        return World.started(answer);
    }

    private List<String> tasks(RunId run) {
        return world.history(run).all(EventBody.TaskScheduled.class).stream()
                .map(it -> it.activation().node().value())
                .toList();
    }

    @Test
    void itGoesOnFromThereWithWorkOfItsOwn() {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);
        long point = world.row(old).lastSequence();
        node.runUntil(() -> world.row(old).status().isFinal(), Duration.ofHours(2));
        long last = world.row(old).lastSequence();

        RunId again = begun(reset(node, World.TENANT, old, point, ""));
        node.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofMinutes(1));
        SteppedNode other = world.node("two");
        other.runUntil(() -> world.row(again).status().isFinal(), Duration.ofHours(2));

        assertEquals(RunStatus.SUCCEEDED, world.row(again).status());
        assertEquals(List.of("b"), tasks(again), "what the other one did is not done again");
        ControlEvent.RunReset first =
                world.history(again).all(ControlEvent.RunReset.class).getFirst();
        assertEquals(old, first.from());
        assertEquals(point, first.sequence());
        assertEquals("again", world.row(again).correlation());
        assertEquals(last, world.row(old).lastSequence(), "its history is never touched");
        assertNotEquals(old, again);
    }

    /** Every point of a history is one where a run may begin, or the reason is told; none breaks the engine. */
    @Test
    void everyPointIsOneOrSaysWhyNot() {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);
        node.runUntil(() -> world.row(old).status().isFinal(), Duration.ofHours(2));
        int begun = 0;
        for (Event event : world.history(old).events()) {
            switch (reset(node, World.TENANT, old, event.sequence(), "")) {
                case StartAnswer.Started(RunId run, long _) -> {
                    node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(3));
                    assertEquals(RunStatus.SUCCEEDED, world.row(run).status(), () -> "from " + event.id());
                    begun++;
                }
                case StartAnswer.Refused(String code, String _) -> assertEquals("INVALID_COMMAND", code);
                case StartAnswer.Existing _, StartAnswer.OtherWorkflow _, StartAnswer.OverQuota _, StartAnswer.Busy _ ->
                    throw new AssertionError("at " + event.id());
            }
        }
        assertTrue(begun > 5, "most points are");
    }

    @Test
    void aRepetitionMeetsTheRunThatWasBegun() {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);

        RunId again = begun(reset(node, World.TENANT, old, 3, "key"));

        assertEquals(new StartAnswer.Existing(again), reset(node, World.TENANT, old, 3, "key"));
        StartAnswer.Refused refused =
                assertInstanceOf(StartAnswer.Refused.class, reset(node, World.TENANT, old, 4, "key"));
        assertEquals("IDEMPOTENCY_KEY_REUSED", refused.code());
    }

    /** Its history stays as it is, and yet it can be found out that it was begun again, with a key or without, once each. */
    @Test
    void theOldRunLeadsToTheNewOnes() throws Exception {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);
        long last = world.row(old).lastSequence();

        RunId first = begun(reset(node, World.TENANT, old, 3, "key"));
        reset(node, World.TENANT, old, 3, "key");
        world.clock.advance(Duration.ofDays(400));
        RunId second = begun(reset(node, World.TENANT, old, 4, ""));

        assertEquals(List.of(first, second), world.ports.journal().resets(World.TENANT, old, 10));
        assertEquals(List.of(first), world.ports.journal().resets(World.TENANT, old, 1));
        assertEquals(List.of(), world.ports.journal().resets(World.TENANT, first, 10));
        assertEquals(List.of(), world.ports.journal().resets(new TenantId("somebody-else"), old, 10));
        assertTrue(
                world.history(old).events().stream().noneMatch(it -> it.body() instanceof ControlEvent.RunReset),
                () -> "nothing is said of it in its own history, up to " + last);
    }

    @Test
    void otherTenantsRunsAndPointsThatNeverWereAreNone() {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);

        assertEquals(
                "NOT_STARTED",
                assertInstanceOf(StartAnswer.Refused.class, reset(node, new TenantId("somebody-else"), old, 3, ""))
                        .code());
        assertEquals(
                "INVALID_COMMAND",
                assertInstanceOf(StartAnswer.Refused.class, reset(node, World.TENANT, old, 0, ""))
                        .code());
        assertEquals(
                "INVALID_COMMAND",
                assertInstanceOf(StartAnswer.Refused.class, reset(node, World.TENANT, old, 999, ""))
                        .code());
    }

    /** It begins by the program that the other one followed then, whatever it follows now. */
    @Test
    void aPointBeforeAMoveIsOneOfTheOldProgram() {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);
        long point = world.row(old).lastSequence();
        Published to = Published.next(
                world.ports.workflows(),
                World.TENANT,
                ProgramBuilder.dag("work")
                        .task("a", "core.echo")
                        .timer("wait", Duration.ofHours(1))
                        .task("c", "core.echo")
                        .edge("start", "a")
                        .edge("a", "wait")
                        .edge("wait", "c")
                        .build(),
                world.clock.now());
        CompletableFuture<CallAnswer> moved =
                call(node, old, new ControlCommand.MigrateRun(to.hash(), 2, Map.of(new NodeId("b"), new NodeId("c"))));
        node.settle();
        assertInstanceOf(CallAnswer.Done.class, moved.join());

        RunId before = begun(reset(node, World.TENANT, old, point, ""));
        RunId after = begun(reset(node, World.TENANT, old, world.row(old).lastSequence(), ""));
        node.runUntil(
                () -> world.row(before).status().isFinal()
                        && world.row(after).status().isFinal(),
                Duration.ofHours(3));

        assertEquals(List.of("b"), tasks(before));
        assertEquals(1, world.row(before).version());
        assertEquals(List.of("c"), tasks(after));
        assertEquals(2, world.row(after).version());
    }

    @Test
    void nobodyBringsAStateOfHisOwn() {
        SteppedNode node = world.node("one");
        RunId old = waiting(node);

        CompletableFuture<CallAnswer> answer =
                call(node, old, new ControlCommand.StartFrom(World.TENANT, old, 1, old, 1, JsonObject.EMPTY));
        node.settle();

        assertEquals(
                "INVALID_COMMAND",
                assertInstanceOf(CallAnswer.Refused.class, answer.join()).code());
    }

    private static CompletableFuture<CallAnswer> call(SteppedNode node, RunId run, ControlCommand command) {
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
}
