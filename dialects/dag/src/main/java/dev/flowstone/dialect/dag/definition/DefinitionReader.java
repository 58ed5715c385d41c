package dev.flowstone.dialect.dag.definition;

import dev.flowstone.dialect.dag.definition.DagEdge.When;
import dev.flowstone.dialect.dag.definition.DagNode.Kind;
import dev.flowstone.dialect.dag.definition.DagNode.RoutePolicy;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.option.DagOptions.Limits;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a JSON value by the format's schema (§4.1). Never stops at a fault. */
public final class DefinitionReader {
    /** What {@code $schema} says for this dialect. */
    private static final List<String> DIALECT =
            List.of("dag", "urn:flowstone:dialect:dag", "urn:flowstone:dialect:dag:1");

    private static final double MAX_BACKOFF = 1_000;

    /** Lists show these of many workflows at once. */
    private static final int LONGEST_NAME = 500;

    private static final int LONGEST_DESCRIPTION = 10_000;

    private final Limits limits;
    private final Faults faults;
    private final Nearest nearest;
    private final Ids ids;

    public DefinitionReader(Limits limits, Faults faults, Nearest nearest) {
        this.limits = limits;
        this.faults = faults;
        this.nearest = nearest;
        this.ids = new Ids(limits, faults);
    }

    /** The definition, as much of it as can be read; empty if it isn't an object, or not of this dialect. */
    public Optional<Definition> read(JsonValue root) {
        if (!(root instanceof JsonObject object)) {
            faults.add(
                    FaultCode.WRONG_TYPE,
                    "",
                    "a workflow must be an object, but is " + Members.kind(root),
                    "begin with { \"id\": …, \"displayName\": …, \"startNode\": …, \"nodes\": [ … ] }");
            return Optional.empty();
        }
        if (speaksAnotherDialect(object)) {
            return Optional.empty();
        }
        Members members = new Members(object, "", Format.WORKFLOW, faults, nearest)
                .require("id", "the workflow", "give it an id of a-z, 0-9 and '-'")
                .require("displayName", "the workflow", "give it a name for people to read")
                .require("startNode", "the workflow", "name the node that a run begins with")
                .require("nodes", "the workflow", "list its nodes");
        members.string("$schema");
        Optional<String> id = members.string("id");
        id.ifPresent(it -> ids.workflow(it, "/id"));
        List<DagNode> nodes = nodes(members);
        List<String> known = nodes.stream().flatMap(node -> node.id().stream()).toList();
        return Optional.of(new Definition(
                id,
                members.text("displayName", LONGEST_NAME),
                members.text("description", LONGEST_DESCRIPTION),
                members.string("startNode"),
                members.object("triggerSchema"),
                new SettingsReader(limits, faults, nearest).read(members, known),
                nodes));
    }

    private boolean speaksAnotherDialect(JsonObject object) {
        Optional<String> other = object.find("$schema")
                .filter(JsonString.class::isInstance)
                .map(it -> ((JsonString) it).value())
                .filter(it -> !DIALECT.contains(it));
        other.ifPresent(it -> faults.add(
                FaultCode.UNKNOWN_DIALECT,
                "/$schema",
                "no dialect is named " + Quoted.text(it),
                "write " + Quoted.choice(DIALECT) + ", or leave '$schema' out: that means 'dag'"));
        return other.isPresent();
    }

    private List<DagNode> nodes(Members workflow) {
        List<DagNode> nodes = new ArrayList<>();
        List<JsonValue> items = workflow.array("nodes").map(JsonArray::items).orElse(List.of());
        if (items.size() > limits.maxNodesPerWorkflow()) {
            faults.add(
                    FaultCode.TOO_MANY_NODES,
                    "/nodes",
                    "the workflow has " + items.size() + " nodes, more than " + limits.maxNodesPerWorkflow(),
                    "split it into several workflows, or raise the limit dag.maxNodesPerWorkflow");
        }
        for (int i = 0; i < items.size(); i++) {
            String pointer = "/nodes/" + i;
            if (items.get(i) instanceof JsonObject node) {
                nodes.add(node(node, pointer));
            } else {
                notAnObject("a node", pointer, items.get(i));
            }
        }
        return nodes;
    }

    private DagNode node(JsonObject object, String pointer) {
        Members members = new Members(object, pointer, Format.NODE, faults, nearest)
                .require("id", "the node", "give it an id that is unique in the workflow");
        Optional<String> id = members.string("id");
        id.ifPresent(it -> ids.node(it, members.pointer("id")));
        Kind kind = members.oneOf("nodeType", List.of("action", "subworkflow"), nearest)
                        .filter("subworkflow"::equals)
                        .isPresent()
                ? Kind.SUBWORKFLOW
                : Kind.ACTION;
        Optional<String> workflow = members.string("workflowId");
        workflow.filter(_ -> kind == Kind.SUBWORKFLOW).ifPresent(it -> ids.called(it, members.pointer("workflowId")));
        DagNode node = new DagNode(
                pointer,
                id,
                kind,
                members.string("actionType"),
                workflow,
                members.integer("workflowVersion", 1, Integer.MAX_VALUE, "").map(Long::intValue),
                members.bool("waitForCompletion").orElse(true),
                members.object("parameters").orElse(JsonObject.EMPTY),
                members.string("onFailure"),
                members.oneOf("routePolicy", List.of("parallel", "firstMatch"), nearest)
                                .filter("firstMatch"::equals)
                                .isPresent()
                        ? RoutePolicy.FIRST_MATCH
                        : RoutePolicy.PARALLEL,
                policies(members),
                edges(members));
        checkKind(node, members);
        return node;
    }

    /** §4.2: what a node must have by its kind, and what has no effect on it. */
    private void checkKind(DagNode node, Members members) {
        String title = "the node " + node.name();
        if (node.kind() == Kind.ACTION) {
            String remedy = members.has("workflowId")
                    ? "name its action, or say \"nodeType\": \"subworkflow\""
                    : "name its action, such as 'core.echo'";
            members.require("actionType", title, remedy);
            for (String name : List.of("workflowId", "workflowVersion", "waitForCompletion")) {
                ignored(members, name, title + " is an action", "remove it, or say \"nodeType\": \"subworkflow\"");
            }
            return;
        }
        members.require("workflowId", title, "name the workflow that it starts");
        ignored(members, "actionType", title + " is a subworkflow", "remove it, or say \"nodeType\": \"action\"");
        members.find("policies").ifPresent(policies -> checkPatience(node, policies, title));
    }

    /** A call is made once: what it waits for is the child, whose own nodes are tried again by their own policies. */
    private void checkPatience(DagNode node, JsonObject policies, String title) {
        for (String name : List.of("retry", "rerenderOnRetry", "timeoutMs")) {
            boolean patience = name.equals("timeoutMs");
            if (policies.get(name) != null && !(patience && node.waits())) {
                faults.addAtName(
                        FaultCode.IGNORED_PROPERTY,
                        node.pointer() + "/policies/" + name,
                        Quoted.text(name) + " has no effect: " + title
                                + (patience ? " doesn't wait for its subworkflow" : " calls its subworkflow once"),
                        "remove it");
            }
        }
    }

    private void ignored(Members members, String name, String reason, String remedy) {
        if (members.has(name)) {
            faults.addAtName(
                    FaultCode.IGNORED_PROPERTY,
                    members.pointer(name),
                    Quoted.text(name) + " has no effect: " + reason,
                    remedy);
        }
    }

    private Policies policies(Members node) {
        Optional<JsonObject> object = node.object("policies");
        if (object.isEmpty()) {
            return Policies.NONE;
        }
        String pointer = node.pointer("policies");
        Members members = new Members(object.get(), pointer, Format.POLICIES, faults, nearest);
        Members retry = new Members(
                members.object("retry").orElse(JsonObject.EMPTY),
                members.pointer("retry"),
                Format.RETRY,
                faults,
                nearest);
        long longest = limits.maxTimeout().toMillis();
        return new Policies(
                true,
                members.integer("timeoutMs", 1, longest, "maxTimeout").map(Duration::ofMillis),
                members.bool("rerenderOnRetry").orElse(false),
                retry.integer("maxAttempts", 0, 1L + limits.maxRetries(), "maxRetries")
                        .map(Long::intValue),
                retry.integer("baseDelayMs", 0, longest, "maxTimeout").map(Duration::ofMillis),
                retry.number("backoffFactor", 1, MAX_BACKOFF, ""),
                retry.bool("jitter"));
    }

    private List<DagEdge> edges(Members node) {
        List<DagEdge> edges = new ArrayList<>();
        List<JsonValue> items = node.array("edges").map(JsonArray::items).orElse(List.of());
        for (int i = 0; i < items.size(); i++) {
            String pointer = node.pointer("edges") + "/" + i;
            if (items.get(i) instanceof JsonObject edge) {
                edges.add(edge(edge, pointer));
            } else {
                notAnObject("an edge", pointer, items.get(i));
            }
        }
        return edges;
    }

    private DagEdge edge(JsonObject object, String pointer) {
        Members members = new Members(object, pointer, Format.EDGE, faults, nearest)
                .require("targetNode", "the edge", "name the node that it leads to");
        When when = members.oneOf("when", List.of("success", "failure", "always"), nearest)
                .map(it -> switch (it) {
                    case "failure" -> When.FAILURE;
                    case "always" -> When.ALWAYS;
                    default -> When.SUCCESS;
                })
                .orElse(When.SUCCESS);
        return new DagEdge(pointer, members.string("targetNode"), when, members.string("condition"));
    }

    private void notAnObject(String title, String pointer, JsonValue value) {
        faults.add(
                FaultCode.WRONG_TYPE,
                pointer,
                title + " must be an object, but is " + Members.kind(value),
                "write it in braces, or remove it");
    }
}
