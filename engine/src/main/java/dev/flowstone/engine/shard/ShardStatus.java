package dev.flowstone.engine.shard;

/** Where a loop is. */
public enum ShardStatus {
    /** Takes up what its predecessor left; nothing else yet. */
    RECOVERING,
    /** Takes commands. */
    RUNNING,
    /** Takes no more starts; brings to an end what is open. */
    STOPPING,
    /** Over; a new loop needs a new lease. */
    ENDED
}
