package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What makes a scope instance a branch of a fork (R10).
 *
 * @param index its place in branch order, from 0
 * @param item the element that it was opened for; null if it has a name instead
 * @param itemIndex the place of that element
 * @param kept whether its join fired without it: it goes on, but leads nowhere
 * @param arrived the newest edge to the join that was taken in it
 * @param failed whether an unhandled failure arrives for it
 * @param human outcome of the newest human task on its way
 * @param last outcome of the newest activation on its way
 * @param lastResult the node on its way that had a result last, by number; -1 if none has
 * @param results what the nodes on its way produced in this branch, by number: other branches may visit the same nodes
 */
public record BranchState(
        ActivationId fork,
        int index,
        @Nullable JsonValue item,
        int itemIndex,
        boolean kept,
        @Nullable EdgeId arrived,
        boolean failed,
        @Nullable Outcome human,
        @Nullable Outcome last,
        int lastResult,
        LongMap<Payload> results) {
    static BranchState opened(ActivationId fork, int index, @Nullable JsonValue item) {
        return new BranchState(fork, index, item, index, false, null, false, null, null, -1, LongMap.empty());
    }

    BranchState arrived(EdgeId edge) {
        return new BranchState(fork, index, item, itemIndex, kept, edge, failed, human, last, lastResult, results);
    }

    /** An unhandled failure arrives, whatever else does. */
    BranchState withFailure() {
        return new BranchState(fork, index, item, itemIndex, kept, arrived, true, human, last, lastResult, results);
    }

    BranchState outcomes(@Nullable Outcome ofHuman, @Nullable Outcome ofLast) {
        return new BranchState(
                fork, index, item, itemIndex, kept, arrived, failed, ofHuman, ofLast, lastResult, results);
    }

    BranchState results(int newest, LongMap<Payload> all) {
        return new BranchState(fork, index, item, itemIndex, kept, arrived, failed, human, last, newest, all);
    }

    /** It goes on without its fork, with all that its nodes could see until now. */
    BranchState kept(@Nullable JsonValue seen, int seenIndex, LongMap<Payload> all) {
        return new BranchState(fork, index, seen, seenIndex, true, null, false, human, last, lastResult, all);
    }

    /** In another program. */
    BranchState moved(ActivationId of, int newest, LongMap<Payload> all) {
        return new BranchState(of, index, item, itemIndex, kept, arrived, failed, human, last, newest, all);
    }

    /** Whether it has reached its join. */
    public boolean hasArrived() {
        return arrived != null || failed;
    }

    /** The newest result on its way, or null. */
    public @Nullable Payload output() {
        return lastResult < 0 ? null : results.get(lastResult);
    }
}
