package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.NodeId;
import java.util.ArrayList;
import java.util.List;

/** What a node was called before, each name once, the oldest first; without what it is called now. */
final class NodeNames {
    private NodeNames() {}

    static List<NodeId> with(List<NodeId> earlier, NodeId before, NodeId now) {
        if (before.equals(now)) {
            return earlier;
        }
        List<NodeId> names = new ArrayList<>(earlier);
        names.remove(now);
        names.add(before);
        return names;
    }
}
