package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.ScopeInstance;
import java.util.Optional;

/**
 * A failure that nothing handles fails the run, and with it every scope around the failure: each of them that compensates
 * undoes what was done in it before the run ends (R23). What was done in an inner one is an entry of the outer one's (R24), so
 * that it is enough to undo the outermost: the newest first, from the inside.
 */
final class Unhandled {
    private static final int NONE = -1;

    private Unhandled() {}

    /**
     * Fails the run.
     *
     * @param scope number of the innermost scope instance around the failure
     */
    static void fails(Deciding deciding, TaskError error, Optional<NodeId> node, int scope) {
        deciding.emit(new EventBody.RunFailing(error, node));
        int due = outermostThatCompensates(deciding.state(), scope);
        if (due != NONE) {
            deciding.emit(new CompensationEvent.CompensationDue(due));
        }
    }

    private static int outermostThatCompensates(Draft state, int innermost) {
        int due = NONE;
        ScopeInstance around = state.tree().scope(innermost);
        while (around != null) {
            if (around.scope().onFailure() == Scope.FailurePolicy.COMPENSATE) {
                due = around.number();
            }
            around = state.tree().scope(around.parent());
        }
        return due;
    }
}
