package dev.flowstone.dialect.dag.graph;

import dev.flowstone.dialect.dag.definition.DagEdge;
import dev.flowstone.dialect.dag.definition.DagEdge.When;
import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.DagNode.RoutePolicy;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;

/** Edges that can be seen never to be taken, because another one without a condition always goes before. */
public final class DeadEdges {
    private final Faults faults;

    public DeadEdges(Faults faults) {
        this.faults = faults;
    }

    public void check(Definition definition) {
        definition.nodes().forEach(this::check);
    }

    private void check(DagNode node) {
        boolean first = node.routePolicy() == RoutePolicy.FIRST_MATCH;
        boolean success = false;
        boolean failure = false;
        for (DagEdge edge : node.edges()) {
            boolean never = switch (edge.when()) {
                case SUCCESS -> success;
                case FAILURE -> failure;
                case ALWAYS -> success && failure;
            };
            if (first && never) {
                never(edge.pointer(), "an edge before it has no condition and is always taken first");
            }
            if (edge.unconditional()) {
                success |= edge.when() != When.FAILURE;
                failure |= edge.when() == When.FAILURE || (first && edge.when() == When.ALWAYS);
            }
        }
        if (node.onFailure().isPresent() && failure) {
            never(node.pointer() + "/onFailure", "a failure already leads along an edge that has no condition");
        }
    }

    private void never(String pointer, String reason) {
        faults.add(
                FaultCode.EDGE_NEVER_TAKEN,
                pointer,
                "this edge is never taken: " + reason,
                "give the other edge a condition, or remove one of them");
    }
}
