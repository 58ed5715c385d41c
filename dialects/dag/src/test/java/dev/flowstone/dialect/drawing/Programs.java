package dev.flowstone.dialect.drawing;

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

/** Programs to draw. */
final class Programs {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("$start");

    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Scope.Kind kind;

    private Programs(Scope.Kind kind) {
        this.kind = kind;
        nodes.add(new Node.Start(START, ROOT, Routing.ALL, Origin.COMPILER));
    }

    static Program chain(int length) {
        Programs it = new Programs(Scope.Kind.SETTLING).tasks(length);
        for (int i = 1; i < length; i++) {
            it.edge(i - 1, i, Outcome.SUCCESS, "");
        }
        return it.program("chain");
    }

    static Program fan(int width) {
        Programs it = new Programs(Scope.Kind.SETTLING).tasks(width + 2);
        for (int i = 1; i <= width; i++) {
            it.edge(0, i, Outcome.SUCCESS, "").edge(i, width + 1, Outcome.SUCCESS, "");
        }
        return it.program("fan");
    }

    /** A chain whose every node also leads to the last: its long edges pass a square of layers. */
    static Program ladder(int length) {
        Programs it = new Programs(Scope.Kind.SETTLING).tasks(length);
        for (int i = 1; i < length; i++) {
            it.edge(i - 1, i, Outcome.SUCCESS, "");
            if (i + 1 < length) {
                it.edge(i - 1, length - 1, Outcome.FAILURE, "");
            }
        }
        return it.program("ladder");
    }

    static Program mesh(int size, String condition) {
        Programs it = new Programs(Scope.Kind.SETTLING).tasks(size);
        for (int i = 0; i < size; i++) {
            for (int j = i + 1; j < Math.min(size, i + 4); j += 2) {
                it.edge(i, j, j % 3 == 0 ? Outcome.FAILURE : Outcome.SUCCESS, condition);
            }
            if (i + 1 < size) {
                it.edge(i, i + 1, Outcome.ALWAYS, "");
            }
        }
        return it.program("mesh");
    }

    /** start → fork [ left: l | right: r ] join. */
    static Program forked() {
        Programs it = new Programs(Scope.Kind.FLOW);
        NodeId fork = new NodeId("fork");
        NodeId join = new NodeId("join");
        ScopeId left = new ScopeId("left");
        ScopeId right = new ScopeId("right");
        it.nodes.clear();
        it.nodes.add(new Node.Start(START, ROOT, Routing.FIRST, Origin.COMPILER));
        it.nodes.add(new Node.Fork(
                fork,
                ROOT,
                new Branches.Static(List.of(new Branches.Branch("left", left), new Branches.Branch("right", right))),
                join,
                Routing.FIRST,
                Origin.COMPILER));
        it.nodes.add(new Node.Join(
                join, ROOT, new JoinPolicy.All(), Node.Join.Losers.CANCEL, Routing.FIRST, true, Origin.COMPILER));
        it.nodes.add(new Node.Choice(new NodeId("l"), left, Routing.FIRST, false, Origin.COMPILER));
        it.nodes.add(new Node.Choice(new NodeId("r"), right, Routing.FIRST, false, Origin.COMPILER));
        it.plain("e1", START, fork);
        it.plain("e2", new NodeId("l"), join);
        it.plain("e3", new NodeId("r"), join);
        return new Program(
                "test",
                1,
                new WorkflowId("forked"),
                List.of(flow(ROOT, START), branch(left, "l", fork), branch(right, "r", fork)),
                it.nodes,
                it.edges,
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.EMPTY);
    }

    private void plain(String id, NodeId from, NodeId to) {
        edges.add(new Edge(new EdgeId(id), from, to, Outcome.SUCCESS, Optional.empty(), false, 0, Origin.COMPILER));
    }

    private static Scope flow(ScopeId id, NodeId entry) {
        return new Scope(
                id,
                Optional.empty(),
                Scope.Kind.FLOW,
                Scope.FailurePolicy.FAIL,
                entry,
                Optional.empty(),
                Optional.empty());
    }

    private static Scope branch(ScopeId id, String entry, NodeId fork) {
        return new Scope(
                id,
                Optional.of(ROOT),
                Scope.Kind.FLOW,
                Scope.FailurePolicy.FAIL,
                new NodeId(entry),
                Optional.empty(),
                Optional.empty(),
                Optional.of(fork));
    }

    static Program circle() {
        return new Programs(Scope.Kind.FLOW)
                .tasks(4)
                .edge(0, 1, Outcome.SUCCESS, "")
                .edge(1, 2, Outcome.SUCCESS, "trigger.again")
                .edge(2, 0, Outcome.SUCCESS, "trigger.back")
                .edge(2, 2, Outcome.FAILURE, "")
                .edge(2, 3, Outcome.SUCCESS, "")
                .edge(3, 1, Outcome.ALWAYS, "")
                .program("circle");
    }

    static Program named(String displayName, String node) {
        Programs it = new Programs(Scope.Kind.SETTLING).task(node.replace("\ud800", ""));
        return it.program(displayName);
    }

    static Program onFailure() {
        Programs it = new Programs(Scope.Kind.SETTLING).task("a");
        it.nodes.add(
                new Node.Timer(new NodeId("b"), ROOT, new JsonString("PT1H30M"), Routing.ALL, true, Origin.COMPILER));
        it.edge(new NodeId("a"), new NodeId("b"), Outcome.FAILURE, "trigger.x > 1\n&& \"ü\"");
        return it.program("A \"small\" one");
    }

    private Programs tasks(int count) {
        for (int i = 0; i < count; i++) {
            task("n" + i);
        }
        return this;
    }

    private Programs task(String name) {
        NodeId id = new NodeId(name);
        nodes.add(new Node.Task(
                id,
                ROOT,
                new HandlerName("core.echo"),
                JsonObject.EMPTY,
                Retry.NONE,
                Duration.ofMinutes(1),
                false,
                Routing.ALL,
                true,
                Origin.COMPILER));
        if (nodes.size() == 2) {
            edge(START, id, Outcome.SUCCESS, "");
        }
        return this;
    }

    private Programs edge(int from, int to, Outcome on, String condition) {
        return edge(new NodeId("n" + from), new NodeId("n" + to), on, condition);
    }

    private Programs edge(NodeId from, NodeId to, Outcome on, String condition) {
        String name = from + "->" + to;
        long same = edges.size() > 100
                ? 0
                : edges.stream().filter(it -> it.id().value().startsWith(name)).count();
        edges.add(new Edge(
                new EdgeId(same == 0 ? name : name + "~" + (same + 1)),
                from,
                to,
                on,
                Optional.of(condition).filter(it -> !it.isEmpty()),
                false,
                edges.size(),
                Origin.COMPILER));
        return this;
    }

    private Program program(String displayName) {
        Scope root = new Scope(
                ROOT, Optional.empty(), kind, Scope.FailurePolicy.FAIL, START, Optional.empty(), Optional.empty());
        return new Program(
                "test",
                1,
                new WorkflowId("w"),
                List.of(root),
                nodes,
                edges,
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.builder().put("displayName", displayName).build());
    }
}
