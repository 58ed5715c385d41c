package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.ForkState;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;

/**
 * An exit closes the scopes it leaves, innermost first, canceling what lives in them, and then opens its target (R7). Out of
 * a branch it leaves the whole fork: the other branches and the fork itself are closed too. One piece at a time: the exit
 * stays at the head of the list until the last scope is closed, over several decisions if need be, and nothing of what it
 * closes gets another turn.
 */
final class Leaving {
    private static final String REASON = "SCOPE_EXITED";

    private Leaving() {}

    static void step(Deciding deciding, WorkItem.Exit exit) {
        Draft state = deciding.state();
        ScopeInstance scope = state.tree().scope(exit.scope());
        if (scope == null) {
            throw new IllegalStateException("an exit from a scope that is closed: " + exit);
        }
        if (exit.fork() != null) {
            fork(deciding, exit, exit.fork());
        } else if (!Closing.step(deciding, scope, REASON)) {
            boolean last = scope.branch() == null && scope.parent() == state.landing(exit);
            Optional<EdgeId> followed = last ? Optional.of(exit.edge()) : Optional.empty();
            deciding.emit(new EventBody.ScopeClosed(scope.scope().id(), exit.scope(), followed));
        }
    }

    private static void fork(Deciding deciding, WorkItem.Exit exit, ActivationId id) {
        Draft state = deciding.state();
        ForkState fork = state.tree().fork(id);
        Integer number = fork == null || fork.open().isEmpty()
                ? null
                : fork.open().get(fork.open().firstKey());
        ScopeInstance branch = number == null ? null : state.tree().scope(number);
        if (branch != null) {
            if (!Closing.step(deciding, branch, REASON)) {
                deciding.emit(new EventBody.ScopeClosed(branch.scope().id(), branch.number(), Optional.empty()));
            }
            return;
        }
        boolean last = exit.scope() == state.landing(exit);
        Cancel.activation(deciding, id, REASON);
        if (last) {
            deciding.emit(new ForkEvent.ExitFollowed(id, exit.edge(), exit.scope()));
        }
    }
}
