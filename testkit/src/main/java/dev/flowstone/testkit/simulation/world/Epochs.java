package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import java.util.HashMap;
import java.util.Map;

/** The newest epoch of each shard, as leases were granted: a commit of an older one must not get through (I12). */
final class Epochs {
    private final World world;
    private final Map<ShardId, Long> newest = new HashMap<>();

    Epochs(World world) {
        this.world = world;
    }

    void granted(Lease lease) {
        newest.merge(lease.shard().id(), lease.epoch(), Math::max);
        world.suspensions().granted(lease);
    }

    void committed(Lease lease, Committed committed) {
        long current = newest.getOrDefault(lease.shard().id(), lease.epoch());
        if (!committed.moved().isEmpty() && lease.epoch() < current) {
            world.violate(new Violation(
                    "I12",
                    lease.holder() + " moved a run of shard " + lease.shard().id() + " at epoch " + lease.epoch()
                            + ", but epoch " + current + " has been granted"));
        }
    }
}
