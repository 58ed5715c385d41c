package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.testkit.scenario.Published;
import java.util.Map;

/**
 * A way from one version of a workflow to another.
 *
 * @param names new names of nodes by old ones
 */
public record Move(Published from, Published to, Map<NodeId, NodeId> names) {
    public Move {
        requireNonNull(from);
        requireNonNull(to);
        names = Map.copyOf(names);
    }
}
