package dev.flowstone.kernel.id;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One visit of a node, unique in its run; written {@code node#visit}, visits count from 1 (kernel rule R5). What undoes a
 * visit is named by its negative: {@code node#-visit}.
 */
public record ActivationId(NodeId node, int visit) implements Comparable<ActivationId> {
    public ActivationId {
        requireNonNull(node);
        if (visit == 0) {
            throw new IllegalArgumentException("visits count from 1");
        }
    }

    /** Reads {@code node#visit}; the node's own name may hold a {@code #}. */
    public static ActivationId parse(String text) {
        int hash = text.lastIndexOf('#');
        if (hash < 1) {
            throw new IllegalArgumentException("an activation is written node#visit, not " + text);
        }
        return new ActivationId(new NodeId(text.substring(0, hash)), Integer.parseInt(text.substring(hash + 1)));
    }

    /** Whether this names what undoes a visit. */
    public boolean isUndoing() {
        return visit < 0;
    }

    /** The name of what undoes this visit, or the visit that this undoes. */
    public ActivationId opposite() {
        return new ActivationId(node, -visit);
    }

    // Written out: it is asked many times a decision, and the generated one takes several calls.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ActivationId that && visit == that.visit && node.equals(that.node);
    }

    @Override
    public int hashCode() {
        return 31 * node.hashCode() + visit;
    }

    @Override
    public int compareTo(ActivationId other) {
        int byNode = node.compareTo(other.node);
        return byNode != 0 ? byNode : Integer.compare(visit, other.visit);
    }

    @Override
    public String toString() {
        return node + "#" + visit;
    }
}
