package dev.flowstone.dialect.dag.graph;

import dev.flowstone.dialect.dag.definition.DagEdge;
import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.Definition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The superset graph. Its vertices are the definition's nodes in the order of the text, broken ones too; an id means the
 * first node that has it. References to nodes that don't exist are no arcs.
 */
public final class Graph {
    private final List<DagNode> nodes;
    private final Map<String, Integer> byId = new HashMap<>();
    private final List<Reference> references = new ArrayList<>();
    private final List<List<Arc>> outgoing = new ArrayList<>();
    private final Optional<String> startNode;
    private final List<String> ids;

    public Graph(Definition definition) {
        this.nodes = definition.nodes();
        this.startNode = definition.startNode();
        this.ids = nodes.stream().flatMap(node -> node.id().stream()).distinct().toList();
        for (int vertex = 0; vertex < nodes.size(); vertex++) {
            outgoing.add(new ArrayList<>());
            Optional<String> id = nodes.get(vertex).id();
            if (id.isPresent()) {
                byId.putIfAbsent(id.get(), vertex);
            }
        }
        for (int vertex = 0; vertex < nodes.size(); vertex++) {
            DagNode node = nodes.get(vertex);
            for (DagEdge edge : node.edges()) {
                refer(vertex, edge.target(), edge.pointer() + "/targetNode");
            }
            refer(vertex, node.onFailure(), node.pointer() + "/onFailure");
        }
    }

    public int size() {
        return nodes.size();
    }

    public DagNode node(int vertex) {
        return nodes.get(vertex);
    }

    public List<Arc> outgoing(int vertex) {
        return outgoing.get(vertex);
    }

    public boolean has(String id) {
        return byId.containsKey(id);
    }

    public OptionalInt vertex(String id) {
        Integer vertex = byId.get(id);
        return vertex == null ? OptionalInt.empty() : OptionalInt.of(vertex);
    }

    public OptionalInt start() {
        return startNode.map(this::vertex).orElse(OptionalInt.empty());
    }

    /** All ids, each once, in the order of the text. */
    public List<String> ids() {
        return ids;
    }

    /** Every place that names a node as the end of an edge, whether or not that node exists. */
    List<Reference> references() {
        return references;
    }

    /** Whether this is the node that its id means. */
    boolean isFirst(int vertex) {
        return nodes.get(vertex).id().map(byId::get).filter(it -> it == vertex).isPresent();
    }

    Optional<String> startNode() {
        return startNode;
    }

    private void refer(int from, Optional<String> target, String pointer) {
        if (target.isEmpty()) {
            return;
        }
        references.add(new Reference(from, target.get(), pointer));
        vertex(target.get()).ifPresent(to -> {
            outgoing.get(from).add(new Arc(from, to, pointer));
        });
    }

    /**
     * An edge between two nodes that exist.
     *
     * @param pointer JSON pointer to the target's name
     */
    public record Arc(int from, int to, String pointer) {}

    /** A place that names a node. */
    record Reference(int from, String target, String pointer) {}
}
