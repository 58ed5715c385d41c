package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts what is alive in the scopes of a draft (R6). */
final class Scopes {
    private Scopes() {}

    /** Changes the count; a nested scope in which nothing is alive any more gets judged, unless it is closed before. */
    static void alive(Draft draft, int number, int change) {
        ScopeInstance scope = draft.tree.scopes.get(number);
        if (scope == null) {
            return;
        }
        ScopeInstance changed = scope.alive(change);
        put(draft, changed);
        if (changed.alive() == 0 && change < 0 && number != ScopeInstance.ROOT) {
            Queue.push(draft, new WorkItem.Settle(number));
        }
    }

    static void put(Draft draft, ScopeInstance scope) {
        draft.tree.scopes = draft.tree.scopes.with(scope.number(), scope);
        boolean waits = !scope.live().isEmpty();
        if (waits != (draft.tree.waiting.get(scope.number()) != null)) {
            draft.tree.waiting =
                    waits ? draft.tree.waiting.with(scope.number(), true) : draft.tree.waiting.without(scope.number());
        }
    }

    /** A scope opens inside another, which it keeps alive. */
    static void open(Draft draft, ScopeInstance scope) {
        put(draft, scope);
        draft.tree.nested = draft.tree.nested.with(scope.parent(), scope.number());
        draft.tree.nextScope = Math.max(draft.tree.nextScope, scope.number() + 1);
    }

    /** It is gone and will not be judged; the caller says so to the one around it. */
    static void remove(Draft draft, ScopeInstance scope) {
        long judgement = draft.queued.next(scope.number(), -1);
        if (draft.queue.get(judgement) instanceof WorkItem.Settle) {
            Queue.remove(draft, judgement);
        }
        draft.tree.scopes = draft.tree.scopes.without(scope.number());
        Verdicts.closed(draft, scope);
        UndoingApplier.closed(draft, scope);
        TickApplier.closed(draft, scope.number());
        draft.tree.waiting = draft.tree.waiting.without(scope.number());
        draft.tree.live -= scope.live().size();
        draft.tree.nested = draft.tree.nested.without(scope.parent(), scope.number());
        draft.weight -= Weight.of(scope.branch());
    }

    /** Whether what is at the head of the work list closes this scope: an exit that leaves it, a join that it lost. */
    static boolean closing(Draft draft, int number) {
        if (draft.ending != Ending.NONE || number == ScopeInstance.ROOT) {
            return false;
        }
        return switch (draft.head()) {
            case WorkItem.Exit exit -> leaves(draft, exit, number);
            case WorkItem.Fire fire -> isInside(draft, number, -1, fire.fork());
            case null, default -> false;
        };
    }

    private static boolean leaves(Draft draft, WorkItem.Exit exit, int number) {
        int landing = landing(draft, exit);
        int top = -1;
        ActivationId fork = exit.fork();
        for (int at = exit.scope(); at != landing && at != ScopeInstance.ROOT; at = parent(draft, at)) {
            top = at;
        }
        if (top >= 0) {
            ScopeInstance outermost = draft.tree.scopes.get(top);
            fork = outermost == null || outermost.branch() == null || outermost.isKept()
                    ? null
                    : outermost.branch().fork();
        }
        return isInside(draft, number, top, fork);
    }

    /** Whether a scope instance is the given one, or a branch of that fork, or lies in such a one. */
    private static boolean isInside(Draft draft, int number, int top, @Nullable ActivationId fork) {
        for (int at = number; at != ScopeInstance.ROOT; at = parent(draft, at)) {
            ScopeInstance around = draft.tree.scopes.get(at);
            BranchState branch = around == null ? null : around.branch();
            if (at == top || (branch != null && !branch.kept() && branch.fork().equals(fork))) {
                return true;
            }
        }
        return false;
    }

    /** Number of the innermost scope instance that an exit does not leave; to a join, that is the branch that arrives. */
    static int landing(Draft draft, WorkItem.Exit exit) {
        Place target = draft.topology.place(draft.program.edge(exit.edge()).to());
        int from = exit.fork() == null ? parent(draft, exit.scope()) : exit.scope();
        for (int at = from; at != ScopeInstance.ROOT; at = parent(draft, at)) {
            ScopeInstance around = draft.tree.scopes.get(at);
            if (around == null || holds(draft, around, target)) {
                return at;
            }
        }
        return ScopeInstance.ROOT;
    }

    private static boolean holds(Draft draft, ScopeInstance around, Place target) {
        if (target.node() instanceof Node.Join) {
            return draft.topology.arrives(around.scope(), target);
        }
        return target.scope().id().equals(around.scope().id())
                || target.scope().parent().equals(Optional.of(around.scope().id()));
    }

    static int parent(Draft draft, int number) {
        return draft.tree.parent(number);
    }
}
