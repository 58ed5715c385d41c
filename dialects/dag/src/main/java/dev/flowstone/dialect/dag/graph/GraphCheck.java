package dev.flowstone.dialect.dag.graph;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.graph.Graph.Arc;
import dev.flowstone.dialect.dag.graph.Graph.Reference;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Duplicate ids, references to nowhere, circles, nodes that no path reaches. A consequence of a fault is not a second
 * fault: where a wrong name is nearly right, reachability is judged as if it were.
 */
public final class GraphCheck {
    private final Graph graph;
    private final Faults faults;
    private final Nearest nearest;
    private final List<String> ids;
    private final Map<String, Optional<String>> meant = new HashMap<>();

    public GraphCheck(Graph graph, Faults faults, Nearest nearest) {
        this.graph = graph;
        this.faults = faults;
        this.nearest = nearest;
        this.ids = graph.ids();
    }

    /** Notes every fault; answers whether the graph is free of circles. */
    public boolean check(int maxEdges) {
        if (graph.references().size() > maxEdges) {
            faults.add(
                    FaultCode.TOO_MANY_EDGES,
                    "/nodes",
                    "the workflow has " + graph.references().size() + " edges, more than " + maxEdges,
                    "split it into several workflows, or raise the limit dag.maxEdgesPerWorkflow");
        }
        duplicates();
        graph.startNode().filter(id -> !graph.has(id)).ifPresent(id -> unknown(id, "/startNode", "a run begins at"));
        for (Reference reference : graph.references()) {
            if (!graph.has(reference.target())) {
                unknown(reference.target(), reference.pointer(), "this edge leads to");
            }
        }
        unreachable();
        return new Cycles(graph, faults).check();
    }

    private void duplicates() {
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            Optional<String> id = graph.node(vertex).id();
            if (id.isPresent() && !graph.isFirst(vertex)) {
                int first = graph.vertex(id.get()).orElseThrow();
                faults.add(
                        FaultCode.DUPLICATE_NODE_ID,
                        graph.node(vertex).pointer() + "/id",
                        "the id " + Quoted.text(id.get()) + " belongs to the node at "
                                + graph.node(first).pointer() + " already",
                        "give one of the two another id");
            }
        }
    }

    private void unknown(String id, String pointer, String what) {
        Optional<String> near = meant.computeIfAbsent(id, it -> nearest.to(it, ids));
        String remedy = near.map(it -> "did you mean " + Quoted.text(it) + "?")
                .orElseGet(() -> "name one of the workflow's nodes: " + Quoted.choice(ids));
        faults.add(
                FaultCode.UNKNOWN_NODE, pointer, what + " " + Quoted.text(id) + ", and there is no such node", remedy);
    }

    private void unreachable() {
        Optional<String> start = graph.startNode().flatMap(this::resolve);
        if (start.isEmpty()) {
            return;
        }
        Set<Integer> reached = reached(start.get());
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            if (graph.isFirst(vertex) && !reached.contains(vertex)) {
                faults.add(
                        FaultCode.UNREACHABLE_NODE,
                        graph.node(vertex).pointer(),
                        "no path leads from the start " + Quoted.text(start.get()) + " to the node "
                                + graph.node(vertex).name(),
                        "lead an edge to it, or remove it");
            }
        }
    }

    private Set<Integer> reached(String start) {
        Map<Integer, List<String>> wrong = new HashMap<>();
        for (Reference reference : graph.references()) {
            if (!graph.has(reference.target())) {
                wrong.computeIfAbsent(reference.from(), it -> new ArrayList<>()).add(reference.target());
            }
        }
        Set<Integer> reached = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>();
        visit(graph.vertex(start).orElseThrow(), reached, open);
        for (int vertex = 0; vertex < graph.size(); vertex++) {
            if (!graph.isFirst(vertex)) {
                visit(vertex, reached, open);
            }
        }
        while (!open.isEmpty()) {
            int from = open.pop();
            for (Arc arc : graph.outgoing(from)) {
                visit(arc.to(), reached, open);
            }
            for (String target : wrong.getOrDefault(from, List.of())) {
                resolve(target)
                        .flatMap(it -> graph.vertex(it).stream().boxed().findFirst())
                        .ifPresent(to -> visit(to, reached, open));
            }
        }
        return reached;
    }

    private static void visit(int vertex, Set<Integer> reached, Deque<Integer> open) {
        if (reached.add(vertex)) {
            open.push(vertex);
        }
    }

    /** The id itself if there is such a node, else the one that was probably meant. */
    private Optional<String> resolve(String id) {
        return graph.has(id) ? Optional.of(id) : meant.getOrDefault(id, Optional.empty());
    }
}
