package dev.flowstone.postgres;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.read.EditWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** DAGs of steps on a document, each with its edit window. */
final class DocumentPrograms {
    private static final ScopeId ROOT = new ScopeId("root");

    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final JsonObject.Builder windows = JsonObject.builder();

    DocumentPrograms() {
        nodes.add(new Node.Start(new NodeId("start"), ROOT, Routing.ALL, Origin.COMPILER));
    }

    /** A step by a handler. */
    DocumentPrograms task(String id, String handler, int attempts) {
        nodes.add(new Node.Task(
                new NodeId(id),
                ROOT,
                new HandlerName(handler),
                JsonObject.EMPTY,
                new Retry(attempts, Duration.ofMillis(1), 1, Duration.ofMillis(1), false),
                Duration.ofSeconds(5),
                false,
                Routing.ALL,
                true,
                Origin.COMPILER));
        return this;
    }

    /** A wait of a duration. */
    DocumentPrograms timer(String id, String duration) {
        nodes.add(new Node.Timer(new NodeId(id), ROOT, new JsonString(duration), Routing.ALL, true, Origin.COMPILER));
        return this;
    }

    DocumentPrograms edge(String from, String to) {
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

    DocumentPrograms window(String node, EditWindow.Mode mode) {
        windows.put(node, EditWindow.of(mode).toJson());
        return this;
    }

    Program build(String name) {
        Scope root = new Scope(
                ROOT,
                Optional.empty(),
                Scope.Kind.SETTLING,
                Scope.FailurePolicy.FAIL,
                new NodeId("start"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new Program(
                "test",
                1,
                new WorkflowId(name),
                List.of(root),
                nodes,
                edges,
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.builder().put("windows", windows.build()).build());
    }
}
