package dev.flowstone.engine.ownership;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Leases on shards, and the nodes that share them, in database time. The epoch's row changes only at takeover; heartbeats live
 * in another row.
 */
public interface Leases {
    /** All shards, by number; fixed while any node runs. */
    List<Shard> shards();

    /**
     * Takes the shard if nobody holds it, its lease has expired, or the holder is this one already (which is a takeover
     * too: the epoch grows). Empty also as long as something is under way that began under an epoch before: that is
     * waited for, but not here for more than a moment.
     */
    Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) throws JournalException;

    /** Prolongs the lease; empty if it was taken over. If it throws, the lease's old end counts. Waits for nobody for long. */
    Optional<Lease> renew(Lease lease, Duration timeToLive) throws JournalException;

    /** Gives it back early, if it is still held. */
    void release(Lease lease) throws JournalException;

    /**
     * Says that a node is there, and will be for so long, and looks who else is. Waits for nobody for long.
     *
     * @return everybody who is there now, the node itself among them
     */
    Census announce(Member member, Duration timeToLive) throws JournalException;

    /** Looks who is there, without being there. */
    Census census() throws JournalException;

    /** The node is there no longer; what it still holds is left to run out. Nothing if it never was. */
    void leave(String member) throws JournalException;
}
