package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Draft;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run, the program that it would follow, and what its nodes would be called there (R26).
 *
 * @param names new names of nodes by old ones; those not named keep their name
 */
record Move(Draft state, Program to, Map<NodeId, NodeId> names) {
    NodeId name(NodeId node) {
        return names.getOrDefault(node, node);
    }

    ActivationId name(ActivationId id) {
        NodeId name = names.get(id.node());
        return name == null ? id : new ActivationId(name, id.visit());
    }

    boolean renames(NodeId node) {
        return !name(node).equals(node);
    }

    /** The newest visit that was ever called by a name, by names: those of nodes, and those that no node has now. */
    Map<NodeId, Integer> given() {
        Map<NodeId, Integer> given = state.used();
        for (Node node : state.program().nodes()) {
            int visits = state.node(state.topology().place(node.id())).visits();
            if (visits > 0) {
                given.merge(node.id(), visits, Math::max);
            }
        }
        return given;
    }

    /** What takes the node's place; null if nothing does. */
    @Nullable
    Place target(NodeId node) {
        return to.topology().find(name(node).value());
    }
}
