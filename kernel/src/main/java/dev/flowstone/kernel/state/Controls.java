package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What operators have done to a run and what it remembers for that. Immutable.
 *
 * @param own the suspension or drain of this very run
 * @param wide what holds a scope that it lies in
 * @param buffer input that came while it was suspended and is not decided yet, by its number
 * @param inputs how many inputs it has buffered in its life
 * @param frozen timers that stand still
 * @param thaws how often timers were set again after they stood still; part of the generations of later ones
 * @param parked activations that opened while it drains and wait to begin
 * @param mark the node that it rolls back to
 */
public record Controls(
        @Nullable Suspension own,
        WideHold wide,
        LongMap<JsonObject> buffer,
        long inputs,
        SortedTree<TimerId, FrozenTimer> frozen,
        int thaws,
        SortedTree<ActivationId, ActivationId> parked,
        @Nullable Canceling canceling,
        @Nullable NodeId mark) {
    static final Controls NONE = new Controls(
            null, WideHold.NONE, LongMap.empty(), 0, SortedTree.empty(), 0, SortedTree.empty(), null, null);

    /** What holds the run: its own suspension or drain, else that of a scope that it lies in; the narrowest counts. */
    public @Nullable Suspension suspension() {
        return own != null ? own : wide.suspension();
    }

    public Hold hold() {
        Suspension holding = suspension();
        return holding == null ? Hold.NONE : holding.hold();
    }

    Controls with(@Nullable Suspension changed) {
        return new Controls(changed, wide, buffer, inputs, frozen, thaws, parked, canceling, mark);
    }

    Controls with(WideHold changed) {
        return new Controls(own, changed, buffer, inputs, frozen, thaws, parked, canceling, mark);
    }

    Controls with(LongMap<JsonObject> changed, long count) {
        return new Controls(own, wide, changed, count, frozen, thaws, parked, canceling, mark);
    }

    Controls with(SortedTree<TimerId, FrozenTimer> changed, int count) {
        return new Controls(own, wide, buffer, inputs, changed, count, parked, canceling, mark);
    }

    Controls parked(SortedTree<ActivationId, ActivationId> changed) {
        return new Controls(own, wide, buffer, inputs, frozen, thaws, changed, canceling, mark);
    }

    /** Nothing holds the run any more; the number of the setting that it has heard of last stays. */
    Controls free() {
        return with((Suspension) null).with(WideHold.lifted(wide.number()));
    }

    Controls canceling(Canceling why) {
        Controls free = free();
        return new Controls(null, free.wide, buffer, inputs, SortedTree.empty(), thaws, parked, why, null);
    }

    Controls mark(@Nullable NodeId node) {
        return new Controls(own, wide, buffer, inputs, frozen, thaws, parked, canceling, node);
    }
}
