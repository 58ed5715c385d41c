package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.effect.DeliveryObserver;
import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.OutboxPublisher;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.OneWayAction;
import dev.flowstone.engine.task.Post;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Actions that send a message and wait for nothing: the message is committed with the intent, once. */
final class OneWayStoryTest {
    private static final Actor ANN = new Actor("user", "ann");
    private static final JsonObject HELLO =
            JsonObject.builder().put("text", "hello").build();

    private final World world = new World();
    private final List<String> delivered = new ArrayList<>();

    private SteppedNode node() {
        return world.node(EngineConfig.of("one"), OneWays.handlers(OneWays::tell));
    }

    private RunId start(SteppedNode node, Program program) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(program).start());
        node.settle();
        return started(answer);
    }

    private static long sequence(History history, Class<? extends EventBody> kind) {
        return history.events().stream()
                .filter(event -> kind.isInstance(event.body()))
                .mapToLong(Event::sequence)
                .findFirst()
                .orElseThrow();
    }

    private OutboxPublisher publisher(SteppedNode node) {
        return new OutboxPublisher(
                world.ports.outbox(),
                Map.of("mail", delivery -> {
                    delivered.add(delivery.key());
                    return Publisher.Receipt.NONE;
                }),
                OutboxConfig.DEFAULT,
                () -> node.node().control().log(),
                world.clock,
                new SplittableRandom(1),
                Runnable::run,
                DeliveryObserver.NONE,
                Tracer.NONE,
                () -> {});
    }

    private static Lease lease(SteppedNode node) {
        return node.node().loops().iterator().next().lease();
    }

    @Test
    void theMessageIsCommittedWithItsEventAndTheTaskIsDone() throws Exception {
        RunId run = start(node(), OneWays.telling("hello"));

        History history = world.history(run);
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        OutboxControl.Entry message = OneWays.messages(world).getFirst();
        assertEquals(1, OneWays.messages(world).size());
        assertEquals(
                run + ":" + sequence(history, EventBody.TaskScheduled.class) + ":0",
                message.key().text());
        assertTrue(OneWays.output(history).contains(message.key().text()), OneWays.output(history));
    }

    @Test
    void anInvalidInputFailsTheTaskAndSendsNothing() throws Exception {
        Program program = ProgramBuilder.dag("silent")
                .retry(SmallPrograms.attempts(3))
                .task("t", "test.tell", JsonObject.EMPTY)
                .edge("start", "t")
                .build();
        RunId run = start(node(), program);

        assertEquals(RunStatus.FAILED, world.row(run).status());
        assertEquals(List.of(), OneWays.messages(world));
        EventBody.TaskFailed failed =
                world.history(run).all(EventBody.TaskFailed.class).getFirst();
        assertEquals("INVALID_PARAMETER", failed.error().code());
        assertEquals(new JsonString("/text"), failed.error().details().get("path"));
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class), "no attempt follows");
    }

    @Test
    void aMessageThatIsTooLargeFailsTheTaskAndIsNotSent() throws Exception {
        JsonObject large =
                JsonObject.builder().put("text", "x".repeat(Post.MOST_BYTES)).build();
        SteppedNode node = world.node(
                EngineConfig.of("one"), OneWays.handlers(_ -> new OneWayAction.Posting.Message("mail", large)));
        RunId run = start(node, OneWays.telling("hello"));

        assertEquals(RunStatus.FAILED, world.row(run).status());
        assertEquals(List.of(), OneWays.messages(world));
        assertEquals(
                "MESSAGE_TOO_LARGE",
                world.history(run)
                        .all(EventBody.TaskFailed.class)
                        .getFirst()
                        .error()
                        .code());
    }

    @Test
    void aLargeInputIsSentWhole() throws Exception {
        String text = "long ".repeat(20_000);
        RunId run = start(node(), OneWays.telling(text));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        OutboxControl.Story story = world.ports
                .outbox()
                .control()
                .story(OneWays.messages(world).getFirst().key())
                .orElseThrow();
        assertEquals(new JsonString(text), story.content().orElseThrow().get("text"));
    }

    @Test
    void messagesOfASuspendedRunWaitUntilItIsResumed() throws Exception {
        SteppedNode node = node();
        Program program = ProgramBuilder.dag("waiting")
                .task("t", "test.tell", HELLO)
                .timer("later", Duration.ofHours(1))
                .edge("start", "t")
                .edge("t", "later")
                .build();
        RunId run = start(node, program);
        call(node, run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        OutboxPublisher publisher = publisher(node);

        assertEquals(0, publisher.step(lease(node)));
        assertEquals(
                OutboxControl.State.PENDING, OneWays.messages(world).getFirst().state());

        call(node, run, new ControlCommand.ResumeRun("done"));
        assertEquals(1, publisher.step(lease(node)));
        assertEquals(1, delivered.size());
    }

    /** Suspends a run that tells and waits 5 s, and resumes it as a node does that knows nothing of the mark. */
    private RunId leftMarked(SteppedNode node, ProgramBuilder program) throws Exception {
        RunId run = start(
                node,
                program.task("t", "test.tell", HELLO)
                        .timer("later", Duration.ofSeconds(5))
                        .edge("start", "t")
                        .edge("t", "later")
                        .build());
        call(node, run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        world.journal.on((commit, to) -> to.commit(new Commit(
                commit.lease(),
                commit.moves().stream().map(OneWayStoryTest::leavingTimers).toList(),
                commit.consumed(),
                commit.delivered())));
        call(node, run, new ControlCommand.ResumeRun("done"));
        world.journal.heal();
        return run;
    }

    private static RunMove leavingTimers(RunMove move) {
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                move.timersSet(),
                List.of(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                move.newProgram(),
                move.window());
    }

    @Test
    void aMarkThatWasLeftBehindGoesWhenTheRunEnds() throws Exception {
        SteppedNode node = node();
        RunId run = leftMarked(node, ProgramBuilder.dag("ending"));
        OutboxPublisher publisher = publisher(node);
        assertEquals(0, publisher.step(lease(node)), "the mark is there");

        world.clock.advance(Duration.ofSeconds(6));
        node.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, publisher.step(lease(node)));
    }

    @Test
    void aMarkThatWasLeftBehindGoesWithTheNextMessage() throws Exception {
        SteppedNode node = node();
        RunId run = leftMarked(
                node,
                ProgramBuilder.dag("going")
                        .task("next", "test.tell", HELLO)
                        .timer("last", Duration.ofHours(1))
                        .edge("later", "next")
                        .edge("next", "last"));
        OutboxPublisher publisher = publisher(node);
        assertEquals(0, publisher.step(lease(node)), "the mark is there");

        world.clock.advance(Duration.ofSeconds(6));
        node.settle();

        assertEquals(RunStatus.RUNNING, world.row(run).status());
        assertEquals(2, publisher.step(lease(node)));
    }

    @Test
    void messagesOfASuspendedScopeWaitAlsoOfRunsThatAreOver() throws Exception {
        SteppedNode node = node();
        RunId run = start(node, OneWays.telling("hello"));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        SettingScope scope = new SettingScope.Tenant(World.TENANT);
        long _ = node.node().control().change(SettingRequest.suspend(scope, HoldPolicy.DEFAULT, "audit", ANN));
        node.settle();
        OutboxPublisher publisher = publisher(node);

        assertEquals(0, publisher.step(lease(node)));

        long _ = node.node().control().change(SettingRequest.resume(scope, "done", ANN));
        node.settle();
        assertEquals(1, publisher.step(lease(node)));
        assertEquals(1, delivered.size());
    }

    private static void call(SteppedNode node, RunId run, Command command) {
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
        node.settle();
        assertTrue(answer.getNow(null) instanceof CallAnswer.Done, String.valueOf(answer.getNow(null)));
    }
}
