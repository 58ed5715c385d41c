package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Empties a nested scope that is left or lost, innermost first, one piece at a time (R6, R7): what waits is canceled, what
 * is queued or parked is discarded, scopes inside are closed. Each piece is found by an index, never by a search.
 */
final class Closing {
    private Closing() {}

    /** Does the next piece; false if the scope is empty. What is at the head of the work list stays: it is what closes. */
    static boolean step(Deciding deciding, ScopeInstance closing, String reason) {
        Draft state = deciding.state();
        ScopeInstance scope = closing;
        for (ScopeInstance in = state.tree().firstInside(scope.number());
                in != null;
                in = state.tree().firstInside(in.number())) {
            scope = in;
        }
        int number = scope.number();
        ActivationId live = scope.live().firstKey();
        WorkItem queued = live == null ? queued(state, number) : null;
        Incident incident = live == null && queued == null ? state.firstIncident(number) : null;
        if (live != null) {
            Cancel.activation(deciding, live, reason);
        } else if (queued != null) {
            deciding.emit(new EventBody.TokenDiscarded(scope.scope().id(), number, node(state, queued)));
        } else if (incident != null) {
            deciding.emit(new ForkEvent.IncidentDiscarded(
                    incident.sequence(), scope.scope().id(), number));
        } else if (number != closing.number()) {
            deciding.emit(new EventBody.ScopeClosed(scope.scope().id(), number, Optional.empty()));
        } else {
            return false;
        }
        return true;
    }

    /** Its own judgement doesn't count: that is dropped with the scope itself. */
    private static @Nullable WorkItem queued(Draft state, int scope) {
        WorkItem queued = state.queuedIn(scope);
        return queued instanceof WorkItem.Settle ? null : queued;
    }

    private static NodeId node(Draft state, WorkItem item) {
        return switch (item) {
            case WorkItem.Enter enter ->
                state.topology().place(enter.node()).node().id();
            case WorkItem.Skip skip ->
                state.topology().place(skip.node()).node().id();
            case WorkItem.Route route -> route.activation().node();
            case WorkItem.Exit exit -> state.program().edge(exit.edge()).to();
            case WorkItem.Fan fan -> fan.fork().node();
            case WorkItem.Fire fire -> fire.fork().node();
            // Never among what is dropped with a scope.
            case WorkItem.Undo _, WorkItem.Release _ -> state.program().root().entry();
            case WorkItem.Settle settle -> {
                ScopeInstance scope = state.tree().scope(settle.scope());
                yield scope == null
                        ? state.program().root().entry()
                        : scope.scope().entry();
            }
        };
    }
}
