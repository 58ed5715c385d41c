package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Scope;
import org.jspecify.annotations.Nullable;

/**
 * One scope that is open.
 *
 * @param number unique in the run; the root's is 0
 * @param parent number of the instance around it; the root's is -1
 * @param alive what keeps it open (R6): activations that aren't final, queued work, nested scopes, incidents
 * @param outEntered whether the node that its continuation begins at was entered
 * @param live the activations that still wait for their result
 * @param arrivals resolved edges by the number of the node they lead to; gone once it is entered or skipped
 * @param branch what it is to a fork; null if no fork opened it
 */
public record ScopeInstance(
        int number,
        Scope scope,
        int parent,
        int alive,
        boolean outEntered,
        SortedTree<ActivationId, ActivationId> live,
        LongMap<Arrivals> arrivals,
        @Nullable BranchState branch) {
    static final int ROOT = 0;

    static ScopeInstance open(int number, Scope scope, int parent) {
        return new ScopeInstance(number, scope, parent, 0, false, SortedTree.empty(), LongMap.empty(), null);
    }

    ScopeInstance alive(int change) {
        return new ScopeInstance(number, scope, parent, alive + change, outEntered, live, arrivals, branch);
    }

    ScopeInstance entered(ActivationId activation, boolean out) {
        return new ScopeInstance(
                number, scope, parent, alive, outEntered || out, live.with(activation, activation), arrivals, branch);
    }

    ScopeInstance outEntered(boolean entered) {
        return new ScopeInstance(number, scope, parent, alive, entered, live, arrivals, branch);
    }

    ScopeInstance settled(ActivationId activation) {
        return new ScopeInstance(number, scope, parent, alive, outEntered, live.without(activation), arrivals, branch);
    }

    ScopeInstance with(LongMap<Arrivals> changed) {
        return new ScopeInstance(number, scope, parent, alive, outEntered, live, changed, branch);
    }

    ScopeInstance with(BranchState changed) {
        return new ScopeInstance(number, scope, parent, alive, outEntered, live, arrivals, changed);
    }

    ScopeInstance movedTo(int newParent) {
        return new ScopeInstance(number, scope, newParent, alive, outEntered, live, arrivals, branch);
    }

    /** Whether it is a branch that its join fired without. */
    public boolean isKept() {
        return branch != null && branch.kept();
    }

    /** In another program. */
    ScopeInstance moved(Scope to, SortedTree<ActivationId, ActivationId> living, LongMap<Arrivals> resolved) {
        return new ScopeInstance(number, to, parent, alive, outEntered, living, resolved, branch);
    }
}
