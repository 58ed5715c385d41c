package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import java.util.Optional;

/**
 * A way from one node to another (R8).
 *
 * @param on the outcome that it is a candidate for, or {@link Outcome#ALWAYS}
 * @param when a condition, or empty: holds
 * @param otherwise an {@code else} edge: taken when no other edge of that outcome was
 * @param priority lower goes first; ties go by id
 * @param policy in place of a condition: the published bundle that must allow it
 * @param as of an edge to a join: the outcome that its branch arrives with; empty, R10 says which
 */
public record Edge(
        EdgeId id,
        NodeId from,
        NodeId to,
        Outcome on,
        Optional<String> when,
        boolean otherwise,
        int priority,
        Optional<Outcome> as,
        Optional<PolicyName> policy,
        Origin origin) {
    /** One that asks no policy. */
    public Edge(
            EdgeId id,
            NodeId from,
            NodeId to,
            Outcome on,
            Optional<String> when,
            boolean otherwise,
            int priority,
            Optional<Outcome> as,
            Origin origin) {
        this(id, from, to, on, when, otherwise, priority, as, Optional.empty(), origin);
    }

    /** One that declares no outcome of a branch. */
    public Edge(
            EdgeId id,
            NodeId from,
            NodeId to,
            Outcome on,
            Optional<String> when,
            boolean otherwise,
            int priority,
            Origin origin) {
        this(id, from, to, on, when, otherwise, priority, Optional.empty(), origin);
    }

    public Edge {
        requireNonNull(as);
        requireNonNull(id);
        requireNonNull(from);
        requireNonNull(to);
        requireNonNull(on);
        requireNonNull(when);
        requireNonNull(policy);
        requireNonNull(origin);
    }

    /** Whether it may turn out not to be taken although its outcome came. */
    public boolean isConditional() {
        return when.isPresent() || policy.isPresent();
    }
}
