package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;

/**
 * An exit closes the scopes it leaves, innermost first, canceling what lives in them, and then opens its target (R7). One
 * piece at a time: the exit stays at the head of the list until the last scope is closed, over several decisions if need
 * be, and nothing of what it closes gets another turn.
 */
final class Leaving {
    private Leaving() {}

    static void step(Deciding deciding, WorkItem.Exit exit) {
        Draft state = deciding.state();
        ScopeInstance scope = state.scope(exit.scope());
        if (scope == null) {
            throw new IllegalStateException("an exit from a scope that is closed: " + exit);
        }
        ActivationId live = scope.live().firstKey();
        if (live != null) {
            Cancel.activation(deciding, live, "SCOPE_EXITED");
            return;
        }
        WorkItem queued = state.queuedIn(exit.scope());
        if (queued != null) {
            deciding.emit(new EventBody.TokenDiscarded(scope.scope().id(), exit.scope(), node(state, queued)));
            return;
        }
        boolean last = scope.parent() == state.landing(exit);
        Optional<EdgeId> followed = last ? Optional.of(exit.edge()) : Optional.empty();
        deciding.emit(new EventBody.ScopeClosed(scope.scope().id(), exit.scope(), followed));
    }

    private static NodeId node(Draft state, WorkItem item) {
        return switch (item) {
            case WorkItem.Enter enter ->
                state.topology().place(enter.node()).node().id();
            case WorkItem.Skip skip ->
                state.topology().place(skip.node()).node().id();
            case WorkItem.Route route -> route.activation().node();
            case WorkItem.Exit exit -> state.program().edge(exit.edge()).to();
            // Never among what is dropped with a scope.
            case WorkItem.Undo _, WorkItem.Release _ -> state.program().root().entry();
            case WorkItem.Settle settle -> {
                ScopeInstance scope = state.scope(settle.scope());
                yield scope == null
                        ? state.program().root().entry()
                        : scope.scope().entry();
            }
        };
    }
}
