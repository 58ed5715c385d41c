package dev.flowstone.engine.lease;

import dev.flowstone.kernel.id.Slot;

/**
 * A range of slots with one writer.
 *
 * @param firstSlot inclusive
 * @param lastSlot inclusive
 * @param stream the feed stream that the shard's commits append to; a new one when shards are cut anew
 */
public record Shard(ShardId id, int firstSlot, int lastSlot, int stream) {
    public boolean holds(Slot slot) {
        return firstSlot <= slot.number() && slot.number() <= lastSlot;
    }
}
