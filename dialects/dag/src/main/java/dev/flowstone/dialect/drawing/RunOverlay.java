package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import java.util.Map;
import java.util.Set;

/**
 * What a run did, to be drawn over its program.
 *
 * @param nodes the nodes that the run has reached
 * @param taken the edges that it has taken
 */
public record RunOverlay(Map<NodeId, NodeStatus> nodes, Set<EdgeId> taken) {
    public RunOverlay {
        nodes = Map.copyOf(nodes);
        taken = Set.copyOf(taken);
    }
}
