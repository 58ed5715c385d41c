package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.ScopeClosed;
import dev.flowstone.kernel.event.EventBody.ScopeOpened;
import dev.flowstone.kernel.event.EventBody.TokenDiscarded;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import java.util.List;

/** Nested scopes (R6, R7). */
final class ScopeApplier {
    private ScopeApplier() {}

    /** The entering at the head of the work list now belongs to the new scope, which lives in the old one. */
    static void opened(Draft draft, ScopeOpened body) {
        draft.tree.nextScope = Math.max(draft.tree.nextScope, body.number() + 1);
        if (!(draft.head() instanceof WorkItem.Enter enter)) {
            return;
        }
        Scopes.open(
                draft,
                ScopeInstance.open(body.number(), draft.program.scope(body.scope()), enter.scope())
                        .alive(1));
        Queue.replaceHead(draft, new WorkItem.Enter(body.number(), enter.node(), enter.via()));
    }

    /**
     * An exit at the head of the work list moves outwards with every scope that it closes, and is replaced by the
     * entering of its target when the last one is closed.
     */
    static void closed(Draft draft, ScopeClosed body) {
        ScopeInstance scope = draft.tree.scopes.get(body.number());
        if (scope == null) {
            return;
        }
        WorkItem head = draft.head();
        body.followed().ifPresent(edge -> {
            Place target = draft.topology.place(draft.program.edge(edge).to());
            if (target.node() instanceof Node.Join) {
                Branching.arrived(draft, scope.parent(), edge);
            } else {
                Queue.push(draft, new WorkItem.Enter(scope.parent(), target.number(), List.of(edge)));
            }
        });
        ForkApplier.forget(draft, scope);
        boolean leaving = draft.ending == Ending.NONE
                && head instanceof WorkItem.Exit exit
                && exit.scope() == body.number()
                && exit.fork() == null;
        if (leaving && body.followed().isEmpty() && !scope.isKept()) {
            outwards(draft, scope);
            return;
        }
        Scopes.remove(draft, scope);
        if (leaving) {
            Queue.pop(draft);
        }
        Scopes.alive(draft, scope.parent(), -1);
    }

    /** The exit goes on from the scope around, where it now is what the closed one was: something alive. */
    private static void outwards(Draft draft, ScopeInstance scope) {
        if (draft.head() instanceof WorkItem.Exit exit) {
            BranchState branch = scope.branch();
            Queue.replaceHead(
                    draft, new WorkItem.Exit(scope.parent(), exit.edge(), branch == null ? null : branch.fork()));
        }
        Scopes.remove(draft, scope);
    }

    /** The dropped work is the first in the ending run's list, or the first of the closing scope behind the exit. */
    static void discarded(Draft draft, TokenDiscarded body) {
        if (draft.queue.isEmpty()) {
            return;
        }
        long key = draft.ending == Ending.NONE ? Queue.firstBehindHead(draft, body.number()) : draft.queue.firstKey();
        WorkItem item = key < 0 ? null : draft.queue.get(key);
        if (item == null) {
            return;
        }
        Queue.remove(draft, key);
        dropped(draft, item);
    }

    /** An activation whose routing is dropped is over, with the result that it has. */
    static void dropped(Draft draft, WorkItem item) {
        if (item instanceof WorkItem.Route route) {
            Activation activation = draft.activation(route.activation());
            if (activation != null && !activation.status().isFinal()) {
                Outcome outcome = activation.outcome() == null ? Outcome.SUCCESS : activation.outcome();
                Activations.put(
                        draft,
                        draft.topology.place(route.activation().node()),
                        activation.ended(RoutingApplier.status(outcome)));
                Scopes.alive(draft, route.scope(), -1);
            }
        }
    }
}
