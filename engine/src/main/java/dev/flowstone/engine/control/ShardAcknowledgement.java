package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.lease.ShardId;

/**
 * How far a shard heeds settings.
 *
 * @param holder the node that has it
 * @param number of the newest setting that it has acknowledged; 0 if none
 */
public record ShardAcknowledgement(ShardId shard, String holder, long epoch, long number) {
    public ShardAcknowledgement {
        requireNonNull(shard);
        requireNonNull(holder);
    }
}
