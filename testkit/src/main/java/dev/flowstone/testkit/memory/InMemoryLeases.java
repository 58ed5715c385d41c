package dev.flowstone.testkit.memory;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Leases;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Leases in memory, in the database's time. */
final class InMemoryLeases implements Leases {
    private final InMemoryDatabase database;

    InMemoryLeases(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<Shard> shards() {
        return database.shards;
    }

    @Override
    public Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) {
        synchronized (database) {
            InMemoryDatabase.LeaseRow row = database.leaseRow(shard);
            boolean free =
                    row.holder.isEmpty() || row.holder.get().equals(holder) || !row.until.isAfter(database.clock.now());
            if (!free) {
                return Optional.empty();
            }
            row.epoch++;
            row.holder = Optional.of(holder);
            row.until = database.clock.now().plus(timeToLive);
            return Optional.of(new Lease(database.shards.get(shard.number()), holder, row.epoch, row.until));
        }
    }

    @Override
    public Optional<Lease> renew(Lease lease, Duration timeToLive) {
        synchronized (database) {
            InMemoryDatabase.LeaseRow row = database.leaseRow(lease.shard().id());
            if (row.epoch != lease.epoch() || row.holder.isEmpty()) {
                return Optional.empty();
            }
            row.until = database.clock.now().plus(timeToLive);
            return Optional.of(new Lease(lease.shard(), lease.holder(), lease.epoch(), row.until));
        }
    }

    @Override
    public void release(Lease lease) {
        synchronized (database) {
            InMemoryDatabase.LeaseRow row = database.leaseRow(lease.shard().id());
            if (row.epoch == lease.epoch()) {
                row.holder = Optional.empty();
            }
        }
    }
}
