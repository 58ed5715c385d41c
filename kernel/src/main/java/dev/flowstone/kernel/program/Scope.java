package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import java.util.Optional;

/**
 * One scope of the tree (R6). Exactly one scope of a program has no parent: the root.
 *
 * @param entry the node that opening the scope enters; the root's is its {@link Node.Start}
 * @param out of a settling scope nested in a flow scope: the node whose having been entered means that there was a way
 *     out (else incident {@code NO_WAY_OUT})
 * @param continuation of the same: the edge, from {@code out}, that is followed when the scope has settled
 * @param fork of a branch: the fork that opens it, a node of its parent
 */
public record Scope(
        ScopeId id,
        Optional<ScopeId> parent,
        Kind kind,
        FailurePolicy onFailure,
        NodeId entry,
        Optional<NodeId> out,
        Optional<EdgeId> continuation,
        Optional<NodeId> fork) {
    /** One that is no branch. */
    public Scope(
            ScopeId id,
            Optional<ScopeId> parent,
            Kind kind,
            FailurePolicy onFailure,
            NodeId entry,
            Optional<NodeId> out,
            Optional<EdgeId> continuation) {
        this(id, parent, kind, onFailure, entry, out, continuation, Optional.empty());
    }

    public Scope {
        requireNonNull(fork);
        requireNonNull(id);
        requireNonNull(parent);
        requireNonNull(kind);
        requireNonNull(onFailure);
        requireNonNull(entry);
        requireNonNull(out);
        requireNonNull(continuation);
    }

    /** How tokens behave in a scope. */
    public enum Kind {
        /** Every arriving token opens a new activation; at most one edge is taken; cycles are allowed. */
        FLOW,
        /** Acyclic; every edge resolves once, taken or dead; a node is entered when all have resolved. */
        SETTLING
    }

    /** What an unhandled failure does (R23). */
    public enum FailurePolicy {
        /** Cancels what lives, skips the rest, fails the run. */
        FAIL,
        /** The same, and undoes what was done in this scope and in those inside it, newest first (R24). */
        COMPENSATE,
        /** Raises an incident; an operator decides. */
        PARK,
        /** Of a branch: it arrives at its join as {@code failure}. */
        ARRIVE
    }
}
