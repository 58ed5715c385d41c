package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Scope;

/**
 * One scope that is open.
 *
 * @param number unique in the run; the root's is 0
 * @param parent number of the instance around it; the root's is -1
 * @param alive what keeps it open (R6): activations that aren't final, queued work, nested scopes, incidents
 * @param outEntered whether the node that its continuation begins at was entered
 * @param live the activations that still wait for their result
 * @param arrivals resolved edges by the number of the node they lead to; gone once it is entered or skipped
 */
public record ScopeInstance(
        int number,
        Scope scope,
        int parent,
        int alive,
        boolean outEntered,
        SortedTree<ActivationId, ActivationId> live,
        LongMap<Arrivals> arrivals) {
    static final int ROOT = 0;

    static ScopeInstance open(int number, Scope scope, int parent) {
        return new ScopeInstance(number, scope, parent, 0, false, SortedTree.empty(), LongMap.empty());
    }

    ScopeInstance alive(int change) {
        return new ScopeInstance(number, scope, parent, alive + change, outEntered, live, arrivals);
    }

    ScopeInstance entered(ActivationId activation, boolean out) {
        return new ScopeInstance(
                number, scope, parent, alive, outEntered || out, live.with(activation, activation), arrivals);
    }

    ScopeInstance outEntered(boolean entered) {
        return new ScopeInstance(number, scope, parent, alive, entered, live, arrivals);
    }

    ScopeInstance settled(ActivationId activation) {
        return new ScopeInstance(number, scope, parent, alive, outEntered, live.without(activation), arrivals);
    }

    ScopeInstance with(LongMap<Arrivals> changed) {
        return new ScopeInstance(number, scope, parent, alive, outEntered, live, changed);
    }

    /** In another program. */
    ScopeInstance moved(Scope to, SortedTree<ActivationId, ActivationId> living, LongMap<Arrivals> resolved) {
        return new ScopeInstance(number, to, parent, alive, outEntered, living, resolved);
    }
}
