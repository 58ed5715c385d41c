package dev.flowstone.bench;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The shapes that decisions are measured on. Every task is a no-op with an empty input. */
final class DecidePrograms {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final ScopeId BRANCH = new ScopeId("branch");
    private static final String START = "start";

    private final List<Scope> scopes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Routing routing;

    private DecidePrograms(Scope.Kind kind) {
        this.routing = kind == Scope.Kind.SETTLING ? Routing.ALL : Routing.FIRST;
        scope(ROOT, Optional.empty(), kind, START, Optional.empty());
        nodes.add(new Node.Start(new NodeId(START), ROOT, routing, Origin.COMPILER));
    }

    /** Tasks one after another, as a DAG. */
    static Program sequence(int steps) {
        DecidePrograms out = new DecidePrograms(Scope.Kind.SETTLING);
        for (int i = 0; i < steps; i++) {
            out.task("s" + i, ROOT).edge(i == 0 ? START : "s" + (i - 1), "s" + i);
        }
        return out.program("sequence");
    }

    /** One task, then {@code width} beside each other, then one that waits for all. */
    static Program fanOut(int width) {
        DecidePrograms out = new DecidePrograms(Scope.Kind.SETTLING);
        out.task("first", ROOT).edge(START, "first").task("last", ROOT);
        for (int i = 0; i < width; i++) {
            out.task("b" + i, ROOT).edge("first", "b" + i).edge("b" + i, "last");
        }
        return out.program("fan-out");
    }

    /** Layers of tasks, each of which waits for two of the layer before. */
    static Program layers(int layers, int width) {
        DecidePrograms out = new DecidePrograms(Scope.Kind.SETTLING);
        for (int layer = 0; layer < layers; layer++) {
            for (int i = 0; i < width; i++) {
                String id = "l" + layer + "x" + i;
                out.task(id, ROOT);
                if (layer == 0) {
                    out.edge(START, id);
                } else {
                    out.edge("l" + (layer - 1) + "x" + i, id);
                    out.edge("l" + (layer - 1) + "x" + (i + 1) % width, id);
                }
            }
        }
        return out.program("layers");
    }

    /** One branch with one task for each element of {@code trigger}. */
    static Program forEach(int window) {
        DecidePrograms out = new DecidePrograms(Scope.Kind.SETTLING);
        out.nodes.add(new Node.Fork(
                new NodeId("fork"),
                ROOT,
                new Branches.Each(new JsonString("{{ trigger }}"), BRANCH, window),
                new NodeId("join"),
                out.routing,
                Origin.COMPILER));
        out.nodes.add(new Node.Join(
                new NodeId("join"),
                ROOT,
                new JoinPolicy.All(),
                Node.Join.Losers.CANCEL,
                out.routing,
                true,
                Origin.COMPILER));
        out.scope(BRANCH, Optional.of(ROOT), Scope.Kind.SETTLING, "work", Optional.of(new NodeId("fork")));
        out.task("work", BRANCH).edge(START, "fork").edge("work", "join");
        return out.program("for-each");
    }

    /** Two tasks, each of which leads to the other. */
    static Program cycle() {
        DecidePrograms out = new DecidePrograms(Scope.Kind.FLOW);
        out.task("there", ROOT).task("back", ROOT);
        out.edge(START, "there").edge("there", "back").edge("back", "there");
        return out.program("cycle");
    }

    private void scope(ScopeId id, Optional<ScopeId> parent, Scope.Kind kind, String entry, Optional<NodeId> fork) {
        scopes.add(new Scope(
                id,
                parent,
                kind,
                Scope.FailurePolicy.FAIL,
                new NodeId(entry),
                Optional.empty(),
                Optional.empty(),
                fork));
    }

    private DecidePrograms task(String id, ScopeId scope) {
        nodes.add(new Node.Task(
                new NodeId(id),
                scope,
                new HandlerName("bench.no-op"),
                JsonObject.EMPTY,
                Retry.NONE,
                Duration.ofMinutes(1),
                false,
                routing,
                routing == Routing.ALL,
                Origin.COMPILER));
        return this;
    }

    private DecidePrograms edge(String from, String to) {
        edges.add(new Edge(
                new EdgeId(from + "->" + to),
                new NodeId(from),
                new NodeId(to),
                Outcome.SUCCESS,
                Optional.empty(),
                false,
                0,
                Origin.COMPILER));
        return this;
    }

    private Program program(String name) {
        return new Program(
                "bench",
                1,
                new WorkflowId(name),
                scopes,
                nodes,
                edges,
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.EMPTY);
    }
}
