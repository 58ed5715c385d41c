package dev.flowstone.dialect.dag;

import dev.flowstone.dialect.dag.action.DelayCheck;
import dev.flowstone.dialect.dag.definition.DagEdge;
import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.DagNode.Kind;
import dev.flowstone.dialect.dag.definition.DagNode.RoutePolicy;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.definition.Policies;
import dev.flowstone.dialect.dag.definition.Settings;
import dev.flowstone.dialect.dag.option.DagOptions.Defaults;
import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ChildAnswer;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Edge;
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
import java.util.Map;
import java.util.Optional;

/**
 * A sound definition as a program: one settling scope; a task, timer or call per node, under the node's own id; an edge per
 * edge, its place in the array its priority; {@code onFailure} as the failure edge that is taken when no other is.
 */
final class ProgramCompiler {
    private static final ScopeId ROOT = new ScopeId("root");
    private static final NodeId START = new NodeId("$start");

    private final Defaults defaults;
    private final EdgeNames names = new EdgeNames();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();

    ProgramCompiler(Defaults defaults) {
        this.defaults = defaults;
    }

    Program compile(Definition definition) {
        NodeId first = new NodeId(definition.startNode().orElseThrow());
        nodes.add(new Node.Start(START, ROOT, Routing.ALL, Origin.COMPILER));
        edges.add(new Edge(
                names.name(START, first, "/startNode"),
                START,
                first,
                Outcome.SUCCESS,
                Optional.empty(),
                false,
                0,
                new Origin("/startNode")));
        for (DagNode node : definition.nodes()) {
            NodeId id = new NodeId(node.id().orElseThrow());
            nodes.add(node(node, id));
            edges(node, id);
        }
        Scope root = new Scope(
                ROOT,
                Optional.empty(),
                Scope.Kind.SETTLING,
                Scope.FailurePolicy.FAIL,
                START,
                Optional.empty(),
                Optional.empty());
        return new Program(
                DagDialect.NAME,
                DagDialect.VERSION,
                new WorkflowId(definition.id().orElseThrow()),
                List.of(root),
                nodes,
                edges,
                Output.TERMINALS,
                Optional.of(definition.settings().timeout().orElse(defaults.workflowTimeout())),
                metadata(definition),
                definition.settings().context().or(defaults.context()).rule());
    }

    private Node node(DagNode node, NodeId id) {
        Routing routing = node.routePolicy() == RoutePolicy.FIRST_MATCH ? Routing.FIRST : Routing.ALL;
        Origin origin = new Origin(node.pointer());
        if (node.isDelay()) {
            return new Node.Timer(id, ROOT, duration(node.parameters()), routing, true, origin);
        }
        if (node.kind() == Kind.SUBWORKFLOW) {
            return call(node, id, routing, origin);
        }
        Policies policies = node.policies();
        return new Node.Task(
                id,
                ROOT,
                new HandlerName(node.actionType().orElseThrow()),
                node.parameters(),
                retry(policies),
                policies.timeout().orElse(defaults.actionTimeout()),
                policies.rerenderOnRetry(),
                routing,
                true,
                origin);
    }

    /** The child is given a {@code spec} too: names are strict, and one that nobody gave would be unknown to it. */
    private Node call(DagNode node, NodeId id, Routing routing, Origin origin) {
        Duration timeout = node.policies().timeout().orElse(defaults.childTimeout());
        return new Node.Call(
                id,
                ROOT,
                new WorkflowId(node.workflowId().orElseThrow()),
                node.workflowVersion(),
                Map.of("trigger", node.parameters(), "spec", JsonObject.EMPTY),
                node.waits(),
                node.waits() ? Optional.of(JsonNumber.of(timeout.toMillis())) : Optional.empty(),
                ChildPolicies.CASCADE,
                ChildAnswer.WRAPPED,
                routing,
                true,
                origin);
    }

    private static JsonValue duration(JsonObject parameters) {
        return parameters
                .find(DelayCheck.MILLIS)
                .or(() -> parameters.find(DelayCheck.ISO))
                .orElseThrow();
    }

    private Retry retry(Policies policies) {
        Duration base = policies.baseDelay().orElse(defaults.initialDelay());
        return new Retry(
                attempts(policies),
                base,
                policies.backoffFactor().orElse(defaults.backoffFactor()),
                base.compareTo(defaults.maxRetryDelay()) > 0 ? base : defaults.maxRetryDelay(),
                policies.jitter().orElse(defaults.jitter()));
    }

    /** A definition counts attempts, and none of them is no attempt less; the option counts retries. */
    private int attempts(Policies policies) {
        return policies.maxAttempts().map(asked -> Math.max(1, asked)).orElse(1 + defaults.maxRetryAttempts());
    }

    private void edges(DagNode node, NodeId from) {
        int priority = 0;
        for (DagEdge edge : node.edges()) {
            NodeId to = new NodeId(edge.target().orElseThrow());
            Outcome on = switch (edge.when()) {
                case SUCCESS -> Outcome.SUCCESS;
                case FAILURE -> Outcome.FAILURE;
                case ALWAYS -> Outcome.ALWAYS;
            };
            edges.add(new Edge(
                    names.name(from, to, edge.pointer()),
                    from,
                    to,
                    on,
                    edge.condition(),
                    false,
                    priority++,
                    new Origin(edge.pointer())));
        }
        if (node.onFailure().isPresent()) {
            NodeId to = new NodeId(node.onFailure().get());
            String pointer = node.pointer() + "/onFailure";
            edges.add(new Edge(
                    names.name(from, to, pointer),
                    from,
                    to,
                    Outcome.FAILURE,
                    Optional.empty(),
                    true,
                    priority,
                    new Origin(pointer)));
        }
    }

    private JsonObject metadata(Definition definition) {
        JsonObject.Builder metadata = JsonObject.builder()
                .putIfPresent("displayName", definition.displayName())
                .putIfPresent("description", definition.description());
        definition.triggerSchema().ifPresent(schema -> metadata.put(TriggerSchema.METADATA, schema));
        JsonObject settings = definition.settings().metadata(defaults.context());
        if (!settings.members().isEmpty()) {
            metadata.put(Settings.METADATA, settings);
        }
        return metadata.build();
    }
}
