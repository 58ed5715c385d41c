package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A program in the making: nodes go into the scope that was begun last. */
final class Sketch {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final List<String> CONDITIONS = List.of(
            "true", "false", "context.data.n1.n > 50", "context.data.n2.n < 30", "trigger.x", "nowhere.to.be.found");

    private final Dice dice;
    private final List<Scope> scopes = new ArrayList<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, Integer> twins = new HashMap<>();
    private ScopeId scope = ROOT;
    private boolean settling;

    Sketch(Dice dice, boolean settling) {
        this.dice = dice;
        this.settling = settling;
        scope(ROOT, Optional.empty(), "start", Optional.empty());
    }

    Dice dice() {
        return dice;
    }

    ScopeId scope() {
        return scope;
    }

    boolean isSettling() {
        return settling;
    }

    Routing routing() {
        return settling ? Routing.ALL : Routing.FIRST;
    }

    void add(Node node) {
        nodes.put(node.id().value(), node);
    }

    boolean isEnd(String id) {
        return nodes.get(id) instanceof Node.End;
    }

    private void scope(ScopeId id, Optional<ScopeId> parent, String entry, Optional<WayOut> out) {
        scopes.add(new Scope(
                id,
                parent,
                settling ? Scope.Kind.SETTLING : Scope.Kind.FLOW,
                Scope.FailurePolicy.FAIL,
                new NodeId(entry),
                out.map(way -> new NodeId(way.from)),
                out.map(way -> way.edge)));
    }

    private record WayOut(String from, EdgeId edge) {}

    /** Begins a scope inside the root. */
    void begin(String id, boolean ofSettling) {
        scope = new ScopeId(id);
        settling = ofSettling;
    }

    /** Ends a flow scope inside the root. */
    void endFlow(String entry, boolean rootSettles) {
        scope(scope, Optional.of(ROOT), entry, Optional.empty());
        scope = ROOT;
        settling = rootSettles;
    }

    /** Ends a settling scope inside the root, which goes on from one of its nodes when it has settled. */
    void endSettling(String entry, String out, String next, boolean rootSettles) {
        EdgeId edge = plain(out, next);
        scope(scope, Optional.of(ROOT), entry, Optional.of(new WayOut(out, edge)));
        scope = ROOT;
        settling = rootSettles;
    }

    /** One more piece, by chance. */
    void piece(String id, boolean mayEnd) {
        ProgramPiece piece = Pieces.next(dice);
        while (!mayEnd && piece instanceof EndPiece) {
            piece = Pieces.next(dice);
        }
        piece.write(this, id);
    }

    /** An edge on success, without a condition. */
    EdgeId plain(String from, String to) {
        return edge(from, to, Outcome.SUCCESS, Optional.empty(), false);
    }

    /** An edge of any sort. */
    void edge(String from, String to) {
        Outcome on = switch (dice.below(8)) {
            case 0 -> Outcome.FAILURE;
            case 1 -> Outcome.ALWAYS;
            case 2 -> nodes.get(from) instanceof Node.Timer ? Outcome.SUCCESS : Outcome.TIMEOUT;
            default -> Outcome.SUCCESS;
        };
        boolean otherwise = dice.percent(16);
        Optional<String> when = otherwise || dice.percent(66) ? Optional.empty() : Optional.of(dice.pick(CONDITIONS));
        edge(from, to, on, when, otherwise);
    }

    private EdgeId edge(String from, String to, Outcome on, Optional<String> when, boolean otherwise) {
        String name = from + "->" + to;
        int twin = twins.merge(name, 1, Integer::sum);
        EdgeId id = new EdgeId(twin == 1 ? name : name + "/" + twin);
        edges.add(new Edge(
                id,
                new NodeId(from),
                new NodeId(to),
                on,
                when,
                otherwise,
                dice.below(3),
                new Origin("/edges/" + edges.size())));
        return id;
    }

    Program program(String workflow, Optional<Duration> deadline) {
        return new Program(
                "simulation",
                1,
                new WorkflowId(workflow),
                scopes,
                List.copyOf(nodes.values()),
                edges,
                Output.TERMINALS,
                deadline,
                JsonObject.EMPTY);
    }
}
