package dev.flowstone.kernel.state;

import dev.flowstone.kernel.program.Place;
import java.util.Optional;

/** Counts what is alive in the scopes of a draft (R6). */
final class Scopes {
    private Scopes() {}

    /** Changes the count; a nested scope in which nothing is alive any more gets judged, unless it is being closed. */
    static void alive(Draft draft, int number, int change) {
        ScopeInstance scope = draft.scopes.get(number);
        if (scope == null) {
            return;
        }
        ScopeInstance changed = scope.alive(change);
        put(draft, changed);
        if (changed.alive() == 0 && change < 0 && number != ScopeInstance.ROOT && !closing(draft, number)) {
            Queue.push(draft, new WorkItem.Settle(number));
        }
    }

    static void put(Draft draft, ScopeInstance scope) {
        draft.scopes = draft.scopes.with(scope.number(), scope);
    }

    /** Whether the exit at the head of the work list leaves this scope. */
    static boolean closing(Draft draft, int number) {
        if (draft.ending != Ending.NONE || !(draft.head() instanceof WorkItem.Exit exit)) {
            return false;
        }
        int landing = landing(draft, exit);
        for (int at = exit.scope(); at != landing; at = parent(draft, at)) {
            if (at == number) {
                return true;
            }
        }
        return false;
    }

    /** Number of the innermost scope instance that an exit does not leave. */
    static int landing(Draft draft, WorkItem.Exit exit) {
        Place target = draft.topology.place(draft.program.edge(exit.edge()).to());
        for (int at = parent(draft, exit.scope()); at != ScopeInstance.ROOT; at = parent(draft, at)) {
            ScopeInstance around = draft.scopes.get(at);
            if (around == null || holds(around, target)) {
                return at;
            }
        }
        return ScopeInstance.ROOT;
    }

    private static boolean holds(ScopeInstance around, Place target) {
        return target.scope().id().equals(around.scope().id())
                || target.scope().parent().equals(Optional.of(around.scope().id()));
    }

    static int parent(Draft draft, int number) {
        ScopeInstance scope = draft.scopes.get(number);
        return scope == null ? ScopeInstance.ROOT : Math.max(scope.parent(), ScopeInstance.ROOT);
    }
}
