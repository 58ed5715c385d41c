package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.ScopeInstance;
import java.util.Optional;

/** A failure that nothing handles fails the run; what its scope says is undone before it ends (R23). */
final class Unhandled {
    private Unhandled() {}

    /**
     * Fails the run.
     *
     * @param scope number of the innermost scope instance around the failure
     */
    static void fails(Deciding deciding, TaskError error, Optional<NodeId> node, int scope) {
        deciding.emit(new EventBody.RunFailing(error, node));
        Draft state = deciding.state();
        ScopeInstance around = state.tree().scope(scope);
        if (around != null && around.scope().onFailure() == Scope.FailurePolicy.COMPENSATE) {
            deciding.emit(new CompensationEvent.CompensationDue(scope));
        }
    }
}
