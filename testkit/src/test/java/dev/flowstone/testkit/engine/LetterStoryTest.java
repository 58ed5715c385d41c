package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Messages between runs, over several shards and nodes: each is decided once, whatever breaks in between (R20–R22). */
final class LetterStoryTest {
    private static final ScopeId ROOT = new ScopeId("root");
    private final World world = new World(4);

    private static Program of(String workflow, Node node) {
        Node.Start start = new Node.Start(new NodeId("start"), ROOT, Routing.ALL, Origin.COMPILER);
        Edge edge = new Edge(
                new EdgeId("e"), start.id(), node.id(), Outcome.SUCCESS, Optional.empty(), false, 0, Origin.COMPILER);
        Scope root = new Scope(
                ROOT,
                Optional.empty(),
                Scope.Kind.SETTLING,
                Scope.FailurePolicy.FAIL,
                start.id(),
                Optional.empty(),
                Optional.empty());
        return new Program(
                "test",
                1,
                new WorkflowId(workflow),
                List.of(root),
                List.of(start, node),
                List.of(edge),
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.EMPTY);
    }

    private static Program awaiting() {
        return of(
                "awaiting",
                new Node.Await(
                        new NodeId("paid"),
                        ROOT,
                        new Source.Channel("paid", new JsonString("order-1")),
                        Optional.empty(),
                        Routing.ALL,
                        true,
                        Origin.COMPILER));
    }

    private static Program calling(String workflow) {
        return of(
                "calling-" + workflow,
                new Node.Call(
                        new NodeId("call"),
                        ROOT,
                        new WorkflowId(workflow),
                        Optional.empty(),
                        Map.of("trigger", JsonObject.builder().put("who", "ada").build()),
                        true,
                        Optional.empty(),
                        ChildPolicies.CASCADE,
                        Routing.ALL,
                        true,
                        Origin.COMPILER));
    }

    private RunId start(SteppedNode node, Program program) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(program).start());
        node.settle();
        return World.started(answer);
    }

    private static CallRequest signal(String payload, Optional<String> key) {
        RunId channel = Aggregates.channel(World.TENANT, "paid", "order-1");
        Command command = new Command.SendSignal(
                World.TENANT,
                channel,
                "paid",
                "order-1",
                Payload.of(new JsonString(payload)),
                Optional.empty(),
                false,
                Duration.ofHours(1));
        return new CallRequest(
                new RunKey(World.TENANT, channel),
                command,
                List.of(),
                new Actor("user", "ada"),
                Optional.empty(),
                key,
                Sha256.digest(payload.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                "c-1");
    }

    private CallAnswer send(SteppedNode node, CallRequest request) {
        CompletableFuture<CallAnswer> answer = node.node().call(request);
        node.settle();
        return answer.join();
    }

    private int lettersLeft() {
        int left = 0;
        for (Shard shard : world.ports.leases().shards()) {
            try {
                left += world.ports
                        .journal()
                        .letters(shard.id(), Optional.empty(), 100)
                        .size();
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
        }
        return left;
    }

    @Test
    void aSignalReachesTheRunThatWaitsForIt() {
        SteppedNode node = world.node("one");
        RunId run = start(node, awaiting());
        assertEquals(RunStatus.RUNNING, world.row(run).status());

        assertInstanceOf(CallAnswer.Done.class, send(node, signal("42", Optional.empty())));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        node.advance(Duration.ofSeconds(1));
        assertEquals(0, lettersLeft(), "what was delivered is forgotten");
    }

    @Test
    void anEarlySignalIsKeptAndASignalUnderOneKeyIsOne() {
        SteppedNode node = world.node("one");
        CallRequest early = signal("42", Optional.of("k"));

        assertInstanceOf(CallAnswer.Done.class, send(node, early));
        assertInstanceOf(CallAnswer.Repeated.class, send(node, early));
        assertInstanceOf(CallAnswer.OtherRequest.class, send(node, signal("43", Optional.of("k"))));
        RunId first = start(node, awaiting());
        RunId second = start(node, awaiting());

        assertEquals(RunStatus.SUCCEEDED, world.row(first).status());
        assertEquals(RunStatus.RUNNING, world.row(second).status());
    }

    @Test
    void aParentGoesOnWithItsChildsOutput() {
        SteppedNode node = world.node("one");
        world.publish(ProgramBuilder.dag("child")
                .task("work", "core.echo", new JsonString("done"))
                .edge("start", "work")
                .build());

        RunId parent = start(node, calling("child"));

        assertEquals(RunStatus.SUCCEEDED, world.row(parent).status());
        assertEquals(
                new JsonString("done"),
                ((Payload.Inline) world.history(parent)
                                .all(EventBody.RunCompleted.class)
                                .getFirst()
                                .output())
                        .value());
    }

    @Test
    void lettersSurviveTheNodeThatWasToBringThem() {
        SteppedNode before = world.node("one");
        RunId run = start(before, awaiting());
        CompletableFuture<CallAnswer> answer = before.node().call(signal("42", Optional.empty()));
        while (!answer.isDone()) {
            before.node().loops().forEach(loop -> {
                if (!answer.isDone()) {
                    loop.step();
                }
            });
        }
        before.node().loops().forEach(loop -> loop.end("crashed"));
        assertTrue(lettersLeft() > 0, "the signal is on its way");
        world.clock.advance(Duration.ofMinutes(1));

        world.node("two");

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.history(run).count(MessageEvent.SignalAccepted.class));
    }

    @Test
    void lettersReachRunsOfOtherNodesByTheirInbox() throws JournalException {
        SteppedNode one = world.node("one");
        Shard channel = shardOf(Aggregates.channel(World.TENANT, "paid", "order-1"));
        RunId run = start(one, awaiting());
        while (shardOf(run).equals(channel)) {
            assertInstanceOf(CallAnswer.Done.class, send(one, signal("for another", Optional.empty())));
            run = start(one, awaiting());
        }
        one.advance(Duration.ofSeconds(1));
        one.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofMinutes(1));
        Lease elsewhere = world.ports
                .leases()
                .acquire(shardOf(run).id(), "elsewhere", Duration.ofMinutes(1))
                .orElseThrow();
        SteppedNode two = world.node("two");

        assertInstanceOf(CallAnswer.Done.class, send(two, signal("42", Optional.empty())));
        two.advance(Duration.ofSeconds(1));
        two.advance(Duration.ofSeconds(1));
        assertEquals(RunStatus.RUNNING, world.row(run).status());
        assertEquals(1, world.ports.journal().inbox(elsewhere, 10).size(), "it waits for whoever owns the run's shard");
        assertEquals(0, lettersLeft(), "its sender may forget it");
        world.ports.leases().release(elsewhere);
        two.advance(Duration.ofSeconds(30));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
    }

    private Shard shardOf(RunId run) {
        return world.ports.leases().shards().stream()
                .filter(shard -> shard.holds(run.slot()))
                .findFirst()
                .orElseThrow();
    }
}
