package dev.flowstone.expression;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a source names, known without evaluating it; all sorted. A source that does not compile names nothing.
 *
 * @param roots names that members begin with, as {@code trigger}
 * @param nodes ids of nodes whose output is read: {@code x} of {@code context.data.x} and {@code context.data['x']}
 * @param readsAnyNode whether it may read nodes that cannot be named beforehand, as in {@code context.data[trigger.node]}
 */
public record References(Set<String> roots, Set<String> nodes, boolean readsAnyNode) {
    static final References NONE = new References(Set.of(), Set.of(), false);

    public References {
        roots = Collections.unmodifiableSet(new TreeSet<>(roots));
        nodes = Collections.unmodifiableSet(new TreeSet<>(nodes));
    }

    References and(References other) {
        Set<String> allRoots = new TreeSet<>(roots);
        allRoots.addAll(other.roots);
        Set<String> allNodes = new TreeSet<>(nodes);
        allNodes.addAll(other.nodes);
        return new References(allRoots, allNodes, readsAnyNode || other.readsAnyNode);
    }
}
