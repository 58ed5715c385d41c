package dev.flowstone.dialect.soundness;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
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
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.program.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A program in few words. Nodes lie in the scope that was opened last by {@link #in}; the root's entry is {@code start}. */
final class Sketch {
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final List<Scope> scopes = new ArrayList<>();
    private final Scope.Kind kind;
    private ScopeId scope = new ScopeId("root");
    private int edgeCount;

    Sketch(Scope.Kind kind) {
        this.kind = kind;
        nodes.add(new Node.Start(id("start"), scope, routing(), Origin.COMPILER));
    }

    private Routing routing() {
        boolean all = scope.value().equals("root") && kind == Scope.Kind.SETTLING;
        return all ? Routing.ALL : Routing.FIRST;
    }

    static NodeId id(String name) {
        return new NodeId(name);
    }

    Sketch in(String name) {
        scope = new ScopeId(name);
        return this;
    }

    Sketch task(String name) {
        return task(name, false);
    }

    Sketch task(String name, boolean mayEnd) {
        nodes.add(new Node.Task(
                id(name),
                scope,
                new HandlerName("h"),
                JsonNull.NULL,
                Retry.NONE,
                Duration.ofMinutes(1),
                false,
                routing(),
                mayEnd,
                Origin.COMPILER));
        return this;
    }

    Sketch end(String name) {
        nodes.add(new Node.End(id(name), scope, Outcome.SUCCESS, false, Origin.COMPILER));
        return this;
    }

    Sketch acquire(String name, String semaphore) {
        Source source = new Source.Permit(new JsonString(semaphore), 1, 1, Duration.ofHours(1));
        nodes.add(new Node.Await(id(name), scope, source, Optional.empty(), routing(), false, Origin.COMPILER));
        return this;
    }

    Sketch release(String name, String await) {
        nodes.add(new Node.Emit(id(name), scope, new Target.Release(id(await)), routing(), false, Origin.COMPILER));
        return this;
    }

    /** A fork, its join, and its branches as scopes whose entries are named like them. */
    Sketch fork(String fork, String join, JoinPolicy policy, String... branches) {
        List<Branches.Branch> opened = new ArrayList<>();
        for (String branch : branches) {
            opened.add(new Branches.Branch(branch, new ScopeId("in " + branch)));
            branch(fork, branch);
        }
        nodes.add(new Node.Fork(id(fork), scope, new Branches.Static(opened), id(join), routing(), Origin.COMPILER));
        return join(join, policy);
    }

    Sketch each(String fork, String join, JoinPolicy policy, String branch) {
        branch(fork, branch);
        Branches each = new Branches.Each(JsonArray.EMPTY, new ScopeId("in " + branch), 5);
        nodes.add(new Node.Fork(id(fork), scope, each, id(join), routing(), Origin.COMPILER));
        return join(join, policy);
    }

    private void branch(String fork, String branch) {
        scopes.add(new Scope(
                new ScopeId("in " + branch),
                Optional.of(scope),
                Scope.Kind.FLOW,
                Scope.FailurePolicy.FAIL,
                id(branch),
                Optional.empty(),
                Optional.empty(),
                Optional.of(id(fork))));
    }

    private Sketch join(String join, JoinPolicy policy) {
        nodes.add(new Node.Join(id(join), scope, policy, Node.Join.Losers.CANCEL, routing(), false, Origin.COMPILER));
        return this;
    }

    /** Edges on success along these nodes. */
    Sketch path(String... names) {
        for (int i = 0; i + 1 < names.length; i++) {
            edge(names[i], "success", names[i + 1], Optional.empty());
        }
        return this;
    }

    Sketch when(String from, String to) {
        return edge(from, "success", to, Optional.of("trigger.x"));
    }

    Sketch on(String from, String outcome, String to) {
        return edge(from, outcome, to, Optional.empty());
    }

    private Sketch edge(String from, String on, String to, Optional<String> when) {
        int number = edgeCount++;
        edges.add(new Edge(
                new EdgeId(String.format(java.util.Locale.ROOT, "%06d", number)),
                id(from),
                id(to),
                new Outcome(on),
                when,
                false,
                number,
                Origin.COMPILER));
        return this;
    }

    Program program() {
        List<Scope> all = new ArrayList<>(scopes);
        all.add(new Scope(
                new ScopeId("root"),
                Optional.empty(),
                kind,
                Scope.FailurePolicy.FAIL,
                id("start"),
                Optional.empty(),
                Optional.empty()));
        return new Program(
                "test",
                1,
                new WorkflowId("w"),
                all,
                nodes,
                edges,
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.EMPTY);
    }

    /** {@code KIND node: a → b} for each finding. */
    static List<String> brief(SoundnessReport report) {
        return report.findings().stream()
                .map(it -> it.kind() + " " + it.node().id() + ": "
                        + String.join(
                                " ", it.trace().stream().map(NodeId::value).toList()))
                .toList();
    }
}
