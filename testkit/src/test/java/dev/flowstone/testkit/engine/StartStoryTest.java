package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Starting, once and only once. */
final class StartStoryTest {
    private final World world = new World(4);
    private final SteppedNode node = world.node("one");
    private final Published echo = world.publish(ProgramBuilder.sequence("echo", 1, "core.echo"));
    private final Published other = world.publish(ProgramBuilder.sequence("other", 1, "core.echo"));

    private StartAnswer start(StartRequest request) {
        CompletableFuture<StartAnswer> answer = node.node().start(request);
        node.settle();
        return answer.join();
    }

    @Test
    void aRepeatedRequestMeetsItsRun() {
        StartAnswer first = start(echo.start("r"));
        RunId run = assertInstanceOf(StartAnswer.Started.class, first).run();

        assertEquals(new StartAnswer.Existing(run), start(echo.start("r")));
        assertEquals(new StartAnswer.OtherWorkflow(run, echo.program().workflow()), start(other.start("r")));
    }

    @Test
    void twoEqualRequestsAtOnceStartOneRun() {
        CompletableFuture<StartAnswer> first = node.node().start(echo.start("r"));
        CompletableFuture<StartAnswer> second = node.node().start(echo.start("r"));
        CompletableFuture<StartAnswer> third = node.node().start(other.start("r"));
        node.settle();

        RunId run = World.started(first);
        assertEquals(new StartAnswer.Existing(run), second.getNow(null));
        assertEquals(new StartAnswer.OtherWorkflow(run, echo.program().workflow()), third.getNow(null));
    }

    @Test
    void aRequestThatWasRefusedLeavesNothingBehind() {
        StartRequest wrong = new StartRequest(
                World.TENANT,
                echo.program().workflow(),
                1,
                echo.hash(),
                Optional.of("r"),
                Map.of("context", JsonObject.EMPTY),
                Actor.ENGINE,
                "c");
        CompletableFuture<StartAnswer> refused = node.node().start(wrong);
        CompletableFuture<StartAnswer> accepted = node.node().start(echo.start("r"));
        node.settle();

        assertInstanceOf(StartAnswer.Refused.class, refused.getNow(null));
        assertInstanceOf(StartAnswer.Started.class, accepted.getNow(null));
    }

    @Test
    void aRequestIdIsForgottenAfterItsLifetimeAndSurvivesARestart() {
        RunId run = World.started(CompletableFuture.completedFuture(start(echo.start("r"))));
        node.node().loops().forEach(loop -> loop.end("crashed"));
        SteppedNode again = world.node(
                EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withInboxPoll(Duration.ofDays(1))),
                BuiltInActions.registry());
        CompletableFuture<StartAnswer> repeated = again.node().start(echo.start("r"));
        again.settle();
        assertEquals(new StartAnswer.Existing(run), repeated.getNow(null));

        world.clock.advance(Duration.ofDays(8));
        again.settle();
        again.advance(Duration.ofSeconds(5));
        CompletableFuture<StartAnswer> late = again.node().start(echo.start("r"));
        again.settle();
        assertNotEquals(run, World.started(late));
    }

    @Test
    void tenantsDoNotShareRequestIds() {
        TenantId tenant = new TenantId("other tenant");
        Published theirs = Published.in(world.ports.workflows(), tenant, echo.program(), world.clock.now());

        assertInstanceOf(StartAnswer.Started.class, start(echo.start("r")));
        assertInstanceOf(StartAnswer.Started.class, start(theirs.start("r")));
    }

    @Test
    void startsWithoutARequestIdSpreadOverTheShards() {
        Set<Shard> shards = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            RunId run = World.started(CompletableFuture.completedFuture(start(echo.start())));
            world.ports.leases().shards().stream()
                    .filter(shard -> shard.holds(run.slot()))
                    .forEach(shards::add);
        }
        assertEquals(4, shards.size());
    }

    @Test
    void whatNobodyCouldStoreIsRefusedAtTheBorder() {
        for (String id : new String[] {"", "x".repeat(300), "nul \u0000", "lone \ud800"}) {
            StartAnswer answer = start(echo.start(id));
            assertEquals(
                    "INVALID_REQUEST_ID",
                    assertInstanceOf(StartAnswer.Refused.class, answer).code());
        }
        StartRequest unknown = new StartRequest(
                World.TENANT,
                other.program().workflow(),
                1,
                echo.hash(),
                Optional.empty(),
                Map.of(),
                Actor.ENGINE,
                "c");
        assertEquals(
                "UNKNOWN_PROGRAM",
                assertInstanceOf(StartAnswer.Refused.class, start(unknown)).code());
    }

    @Test
    void aLargeInputIsSetAsideAndStillRead() {
        Published reading = world.publish(ProgramBuilder.dag("reading")
                .task("t", "core.echo", new JsonString("{{ trigger.name }}"))
                .edge("start", "t")
                .build());
        JsonObject large = JsonObject.builder()
                .put("name", "found")
                .put("ballast", "x".repeat(100_000))
                .build();

        RunId run = World.started(
                CompletableFuture.completedFuture(start(reading.start(Optional.empty(), Map.of("trigger", large)))));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        EventBody.RunStarted started =
                world.history(run).all(EventBody.RunStarted.class).getFirst();
        assertInstanceOf(Payload.Stored.class, started.input().get("trigger"));
        assertEquals(
                Payload.of(new JsonString("found")),
                world.history(run).all(EventBody.TaskCompleted.class).getFirst().output());
    }

    @Test
    void anInputBeyondTheLimitIsRefused() {
        JsonObject huge = JsonObject.builder().put("x", "y".repeat(17 << 20)).build();

        StartAnswer answer = start(echo.start(Optional.empty(), Map.of("trigger", huge)));

        assertEquals(
                "INPUT_TOO_LARGE",
                assertInstanceOf(StartAnswer.Refused.class, answer).code());
    }

    @Test
    void anInputThatFillsMoreThanARunsContextIsRefused() {
        JsonObject large = JsonObject.builder().put("x", "y".repeat(11 << 20)).build();

        StartAnswer answer = start(echo.start(Optional.empty(), Map.of("trigger", large)));

        assertEquals(
                "CONTEXT_TOO_LARGE",
                assertInstanceOf(StartAnswer.Refused.class, answer).code());
    }

    @Test
    void listenersHearOfEveryCommitOfTheirRunUntilTheyClose() throws Exception {
        List<Long> heard = new ArrayList<>();
        Published slow = world.publish(ProgramBuilder.sequence("slow", 3, "core.echo"));
        CompletableFuture<StartAnswer> answer = node.node().start(slow.start());
        while (!answer.isDone()) {
            node.stepLoops();
        }
        RunId run = World.started(answer);
        AutoCloseable first = node.node().onMoved(World.TENANT, run, heard::add);
        try (AutoCloseable failing = node.node().onMoved(World.TENANT, run, n -> {
            throw new IllegalStateException("a listener's bug");
        })) {
            assertTrue(failing != null && node.runHandler());
            node.settleLoops();
        }
        first.close();
        node.settle();

        assertEquals(1, heard.size());
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }
}
