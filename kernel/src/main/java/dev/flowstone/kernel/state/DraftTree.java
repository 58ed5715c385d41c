package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scope instances that are open, and what lives in them. A part of a {@link Draft}, under the same rules. */
public final class DraftTree {
    LongMap<ScopeInstance> scopes = LongMap.empty();

    int nextScope;

    /** Visits of forks whose join has not been entered. */
    SortedTree<ActivationId, ForkState> forks = SortedTree.empty();

    ByScope nested = ByScope.EMPTY;

    /** Numbers of the scope instances in which an activation waits for its result. */
    LongMap<Boolean> waiting = LongMap.empty();

    /** How many activations wait for their result. */
    int live;

    DraftTree() {}

    DraftTree(DraftTree other) {
        this.scopes = other.scopes;
        this.nextScope = other.nextScope;
        this.forks = other.forks;
        this.nested = other.nested;
        this.waiting = other.waiting;
        this.live = other.live;
    }

    /** Number of the next scope instance. */
    public int nextScope() {
        return nextScope;
    }

    /** Null if it is closed. */
    public @Nullable ScopeInstance scope(int number) {
        return scopes.get(number);
    }

    /** An activation that waits for its result, in any scope; innermost scopes first; null if there is none. */
    public @Nullable ActivationId firstLive() {
        ScopeInstance scope = waiting.isEmpty() ? null : scopes.get(waiting.lastKey());
        return scope == null ? null : scope.live().firstKey();
    }

    /** How many activations wait for their result, in all scopes. */
    public int liveActivations() {
        return live;
    }

    /** Null if its join has been entered, or if it was closed. */
    public @Nullable ForkState fork(ActivationId fork) {
        return forks.get(fork);
    }

    /** A scope instance that is open right inside this nested one, the oldest; null if there is none. */
    public @Nullable ScopeInstance firstInside(int scope) {
        long child = nested.next(scope, -1);
        return child < 0 ? null : scopes.get(child);
    }

    /** Those that are open, the oldest first. */
    public List<ScopeInstance> scopes() {
        return scopes.values();
    }

    /** How many scopes lie around a scope instance. */
    public int depth(int scope) {
        int depth = 0;
        for (int at = scope; at != ScopeInstance.ROOT; at = parent(at)) {
            depth++;
        }
        return depth;
    }

    /** What the branches around a scope instance remember of their nodes' results, innermost first. */
    public List<LongMap<Payload>> branchResults(int scope) {
        if (scope == ScopeInstance.ROOT) {
            return List.of();
        }
        List<LongMap<Payload>> results = new ArrayList<>();
        for (int at = scope; at > ScopeInstance.ROOT; at = parent(at)) {
            ScopeInstance around = scopes.get(at);
            if (around != null && around.branch() != null) {
                results.add(around.branch().results());
            }
        }
        return results;
    }

    /** The innermost branch around a scope instance that was opened for an element of a collection; null if none is. */
    public @Nullable BranchState itemAround(int scope) {
        for (int at = scope; at > ScopeInstance.ROOT; at = parent(at)) {
            ScopeInstance around = scopes.get(at);
            if (around != null && around.branch() != null && around.branch().item() != null) {
                return around.branch();
            }
        }
        return null;
    }

    /** The scope instance around it; the root's is itself. */
    int parent(int number) {
        ScopeInstance scope = scopes.get(number);
        return scope == null ? ScopeInstance.ROOT : Math.max(scope.parent(), ScopeInstance.ROOT);
    }
}
