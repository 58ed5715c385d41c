package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A visit of a fork whose join has not been entered yet (R10). However many branches it has, one more event about one of
 * them costs O(log n).
 *
 * @param fork its activation
 * @param scope the instance that fork and join lie in
 * @param branches how many there are
 * @param next the first that has not been opened, in branch order
 * @param arrived how many of those that ended reached the join
 * @param accepted how many of those did so with an outcome that the join's policy accepts
 * @param open instance numbers of the branches that live, by branch
 * @param results of those that ended, by branch
 * @param via the edges over which branches arrived
 * @param items what the branches are opened for; null if they are named
 * @param fired what became of the join, from when that is known
 * @param bytes of all outputs among the results
 */
public record ForkState(
        ActivationId fork,
        int scope,
        int branches,
        int next,
        int arrived,
        int accepted,
        LongMap<Integer> open,
        LongMap<JsonObject> results,
        SortedTree<EdgeId, EdgeId> via,
        @Nullable JsonArray items,
        @Nullable Outcome fired,
        long bytes) {
    static ForkState opened(ActivationId fork, int scope, int branches, @Nullable JsonArray items) {
        return new ForkState(
                fork, scope, branches, 0, 0, 0, LongMap.empty(), LongMap.empty(), SortedTree.empty(), items, null, 0);
    }

    /** How many have ended by themselves. */
    public int ended() {
        return results.size();
    }

    /** The edges over which branches arrived, by id. */
    public List<EdgeId> arrivals() {
        return via.values();
    }

    ForkState next(int first, LongMap<Integer> nowOpen) {
        return new ForkState(
                fork, scope, branches, first, arrived, accepted, nowOpen, results, via, items, fired, bytes);
    }

    ForkState ended(int branch, JsonObject result, long outputBytes) {
        return new ForkState(
                fork,
                scope,
                branches,
                next,
                arrived,
                accepted,
                open.without(branch),
                results.with(branch, result),
                via,
                items,
                fired,
                bytes + outputBytes);
    }

    ForkState arrivals(int all, int accepting, SortedTree<EdgeId, EdgeId> edges) {
        return new ForkState(fork, scope, branches, next, all, accepting, open, results, edges, items, fired, bytes);
    }

    /** In another program. */
    ForkState moved(ActivationId name, SortedTree<EdgeId, EdgeId> edges) {
        return new ForkState(name, scope, branches, next, arrived, accepted, open, results, edges, items, fired, bytes);
    }

    ForkState fired(Outcome outcome) {
        return new ForkState(fork, scope, branches, next, arrived, accepted, open, results, via, items, outcome, bytes);
    }
}
