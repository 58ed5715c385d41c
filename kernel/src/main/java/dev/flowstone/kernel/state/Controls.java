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
 * @param buffer input that came while it was suspended and is not decided yet, by its number
 * @param inputs how many inputs it has buffered in its life
 * @param frozen timers that stand still
 * @param thaws how often timers were set again after they stood still; part of the generations of later ones
 * @param parked activations that opened while it drains and wait to begin
 * @param mark the node that it rolls back to
 */
public record Controls(
        @Nullable Suspension suspension,
        LongMap<JsonObject> buffer,
        long inputs,
        SortedTree<TimerId, FrozenTimer> frozen,
        int thaws,
        SortedTree<ActivationId, ActivationId> parked,
        @Nullable Canceling canceling,
        @Nullable NodeId mark) {
    static final Controls NONE =
            new Controls(null, LongMap.empty(), 0, SortedTree.empty(), 0, SortedTree.empty(), null, null);

    public Hold hold() {
        return suspension == null ? Hold.NONE : suspension.hold();
    }

    Controls with(@Nullable Suspension changed) {
        return new Controls(changed, buffer, inputs, frozen, thaws, parked, canceling, mark);
    }

    Controls with(LongMap<JsonObject> changed, long count) {
        return new Controls(suspension, changed, count, frozen, thaws, parked, canceling, mark);
    }

    Controls with(SortedTree<TimerId, FrozenTimer> changed, int count) {
        return new Controls(suspension, buffer, inputs, changed, count, parked, canceling, mark);
    }

    Controls parked(SortedTree<ActivationId, ActivationId> changed) {
        return new Controls(suspension, buffer, inputs, frozen, thaws, changed, canceling, mark);
    }

    Controls canceling(Canceling why) {
        return new Controls(null, buffer, inputs, SortedTree.empty(), thaws, parked, why, null);
    }

    Controls mark(@Nullable NodeId node) {
        return new Controls(suspension, buffer, inputs, frozen, thaws, parked, canceling, node);
    }
}
