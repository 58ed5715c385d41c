package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.NodeId;

/** Where ticks are remembered: orders them by scope instance, then by node. */
record TickPlace(int scope, NodeId node) implements Comparable<TickPlace> {
    @Override
    public int compareTo(TickPlace other) {
        int byScope = Integer.compare(scope, other.scope);
        return byScope != 0 ? byScope : node.value().compareTo(other.node.value());
    }
}
