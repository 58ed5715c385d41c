package dev.flowstone.dialect.states.compile;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Scope;
import java.util.Optional;

/**
 * Where a region's nodes lie.
 *
 * @param root the program's
 * @param join of a branch: where it arrives
 */
record Surroundings(ScopeId root, ScopeId scope, Optional<NodeId> join, Scope.FailurePolicy onFailure) {
    Surroundings {
        requireNonNull(root);
        requireNonNull(scope);
        requireNonNull(join);
        requireNonNull(onFailure);
    }

    static Surroundings root(ScopeId root, Scope.FailurePolicy onFailure) {
        return new Surroundings(root, root, Optional.empty(), onFailure);
    }

    Surroundings branch(ScopeId scope, NodeId join, Scope.FailurePolicy policy) {
        return new Surroundings(root, scope, Optional.of(join), policy);
    }
}
