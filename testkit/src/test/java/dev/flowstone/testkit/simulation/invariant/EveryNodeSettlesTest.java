package dev.flowstone.testkit.simulation.invariant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** I11 as the simulator judges it: in the root scope and in nested ones each node settles once, when its edges are resolved. */
final class EveryNodeSettlesTest {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final ScopeId SLOT = new ScopeId("slot");
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    /** {@code in → left, right → out} in a slot of a flow, which goes on with {@code end}, and may stop there. */
    private static final Program PROGRAM = new Program(
            "test",
            1,
            new WorkflowId("w"),
            List.of(
                    new Scope(
                            ROOT,
                            Optional.empty(),
                            Scope.Kind.FLOW,
                            Scope.FailurePolicy.FAIL,
                            new NodeId("start"),
                            Optional.empty(),
                            Optional.empty()),
                    new Scope(
                            SLOT,
                            Optional.of(ROOT),
                            Scope.Kind.SETTLING,
                            Scope.FailurePolicy.FAIL,
                            new NodeId("in"),
                            Optional.of(new NodeId("out")),
                            Optional.of(new EdgeId("out->end")))),
            List.of(
                    new Node.Start(new NodeId("start"), ROOT, Routing.FIRST, Origin.COMPILER),
                    new Node.End(new NodeId("end"), ROOT, Outcome.SUCCESS, true, Origin.COMPILER),
                    task("in"),
                    task("left"),
                    task("right"),
                    task("out")),
            List.of(
                    edge("start", "in"),
                    edge("in", "left"),
                    edge("in", "right"),
                    edge("left", "out"),
                    edge("right", "out"),
                    edge("out", "end")),
            Output.TERMINALS,
            Optional.empty(),
            JsonObject.EMPTY);

    private static Node task(String id) {
        return new Node.Task(
                new NodeId(id),
                SLOT,
                new HandlerName("core.echo"),
                JsonObject.EMPTY,
                Retry.NONE,
                Duration.ofSeconds(1),
                false,
                Routing.ALL,
                true,
                Origin.COMPILER);
    }

    private static Edge edge(String from, String to) {
        return new Edge(
                new EdgeId(from + "->" + to),
                new NodeId(from),
                new NodeId(to),
                Outcome.SUCCESS,
                Optional.empty(),
                false,
                0,
                Origin.COMPILER);
    }

    private final List<Told> story = new ArrayList<>();

    private EveryNodeSettlesTest then(EventBody body) {
        EventHeader header = new EventHeader(
                EventHeader.SCHEMA,
                new TenantId("acme"),
                PROGRAM.workflow(),
                1,
                RunId.of(NOW, new Slot(7), 42),
                1,
                NOW,
                Optional.empty(),
                Actor.ENGINE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "c");
        story.add(new Told(new Event(header, story.size() + 1L, Sha256.ZERO, Sha256.ZERO, body), PROGRAM));
        return this;
    }

    private static List<EdgeId> edges(String... ids) {
        return List.of(ids).stream().map(EdgeId::new).toList();
    }

    private EveryNodeSettlesTest opened(String activation, String... via) {
        return then(new EventBody.ActivationOpened(ActivationId.parse(activation), Sha256.ZERO, edges(via)));
    }

    private EveryNodeSettlesTest ended(String activation, String... taken) {
        return then(
                new EventBody.Transitioned(ActivationId.parse(activation), Outcome.SUCCESS, edges(taken), List.of()));
    }

    private EveryNodeSettlesTest skipped(String activation) {
        return then(new EventBody.ActivationSkipped(ActivationId.parse(activation)));
    }

    private EveryNodeSettlesTest slot(int number) {
        return then(new EventBody.ScopeOpened(SLOT, number));
    }

    private EveryNodeSettlesTest closed(int number, String... followed) {
        return then(
                new EventBody.ScopeClosed(SLOT, number, edges(followed).stream().findFirst()));
    }

    private EveryNodeSettlesTest begun(int number) {
        return slot(number).opened("in#" + number, "start->in").ended("in#" + number, "in->left", "in->right");
    }

    private Optional<String> wrong() {
        return EveryNodeSettles.tell(story);
    }

    @Test
    void aScopeThatIsEnteredAgainSettlesAgain() {
        for (int number = 1; number <= 2; number++) {
            begun(number)
                    .opened("left#" + number, "in->left")
                    .opened("right#" + number, "in->right")
                    .ended("right#" + number)
                    .ended("left#" + number, "left->out")
                    .opened("out#" + number, "left->out")
                    .ended("out#" + number, "out->end")
                    .closed(number, "out->end");
        }

        assertEquals(Optional.empty(), wrong());
    }

    @Test
    void aScopeThatGoesOnWithoutOneOfItsNodesIsNoticed() {
        begun(1).opened("left#1", "in->left").opened("right#1", "in->right");
        ended("right#1").ended("left#1", "left->out").closed(1, "out->end");

        assertEquals(Optional.of("out of scope slot never settled"), wrong());
    }

    /** Left along another edge, or closed from around it, nodes in it never begin. */
    @Test
    void aScopeThatIsLeftNeedNotSettle() {
        begun(1).opened("left#1", "in->left").closed(1);

        assertEquals(Optional.empty(), wrong());
    }

    @Test
    void aNodeThatIsEnteredBeforeAllItsEdgesAreResolvedIsNoticed() {
        begun(1).opened("left#1", "in->left").opened("right#1", "in->right").ended("left#1", "left->out");
        opened("out#1", "left->out");

        assertEquals(Optional.of("out is entered before right->out is resolved"), wrong());
    }

    @Test
    void aNodeThatIsSkippedThoughAnEdgeToItWasTakenIsNoticed() {
        begun(1).skipped("left#1");

        assertEquals(Optional.of("left is entered by [], and taken are [in->left, in->right]"), wrong());
    }

    @Test
    void anEdgeThatIsResolvedTwiceIsNoticed() {
        begun(1).ended("in#1", "in->left");

        assertEquals(Optional.of("in settled twice"), wrong());
    }

    /** Nothing goes on, and what was to begin is skipped. */
    @Test
    void whatWasTakenIsSkippedWhenTheRunTerminates() {
        begun(1).opened("end#1")
                .ended("end#1")
                .skipped("left#1")
                .skipped("right#1")
                .skipped("out#1");

        assertEquals(Optional.empty(), wrong());
    }
}
