package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;

/**
 * Nothing in a nested scope is alive any more (R6): a branch has ended, a settling slot goes on by its continuation if
 * there was a way out, any other just ends.
 */
final class Judging {
    private Judging() {}

    static void settled(Deciding deciding, WorkItem.Settle settle) {
        ScopeInstance scope = deciding.state().tree().scope(settle.scope());
        if (scope == null) {
            throw new IllegalStateException("judging a scope that is closed: " + settle);
        }
        if (scope.branch() != null && !scope.isKept() && deciding.state().ending() == Ending.NONE) {
            Joining.ended(deciding, scope, scope.branch());
            return;
        }
        ScopeId id = scope.scope().id();
        Optional<EdgeId> continuation = scope.scope().continuation();
        if (deciding.state().ending() != Ending.NONE || continuation.isEmpty()) {
            deciding.emit(new EventBody.ScopeClosed(id, settle.scope(), Optional.empty()));
        } else if (scope.outEntered()) {
            deciding.emit(new EventBody.ScopeClosed(id, settle.scope(), continuation));
        } else {
            deciding.emit(new EventBody.IncidentRaised(
                    "NO_WAY_OUT",
                    Optional.empty(),
                    "scope " + id + " has settled, but its way out, "
                            + scope.scope().out().map(Object::toString).orElse("?") + ", was skipped"));
        }
    }
}
