package dev.flowstone.dialect.dag;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Names for edges: {@code A->B}; the second of that name is {@code A->B~2}. Where the two ids together are longer than an
 * edge's may be, its place in the text stands instead. Depends on the order of the calls and on nothing else.
 */
final class EdgeNames {
    private static final int LONGEST = 180;

    private final Set<String> given = new HashSet<>();
    private final Map<String, Integer> counts = new HashMap<>();

    EdgeId name(NodeId from, NodeId to, String pointer) {
        String plain = from + "->" + to;
        String base = plain.length() <= LONGEST ? plain : "edge at " + pointer;
        int count = counts.merge(base, 1, Integer::sum);
        String name = count == 1 ? base : base + "~" + count;
        while (!given.add(name)) {
            name = base + "~" + counts.merge(base, 1, Integer::sum);
        }
        return new EdgeId(name);
    }
}
