package dev.flowstone.testkit.memory;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    @Override
    public Census announce(Member member, Duration timeToLive) {
        synchronized (database) {
            Instant now = database.clock.now();
            InMemoryDatabase.NodeRow before = database.nodes.get(member.name());
            Instant since = before == null || !before.until().isAfter(now) ? now : before.since();
            database.nodes.put(member.name(), new InMemoryDatabase.NodeRow(member, since, now.plus(timeToLive)));
            return census();
        }
    }

    @Override
    public Census census() {
        synchronized (database) {
            Instant now = database.clock.now();
            List<Census.Present> present = database.nodes.values().stream()
                    .filter(node -> node.until().isAfter(now))
                    .map(node -> new Census.Present(node.member(), node.since(), Duration.between(now, node.until())))
                    .toList();
            Map<ShardId, Census.Holding> holdings = new HashMap<>();
            for (Shard shard : database.shards) {
                InMemoryDatabase.LeaseRow row = database.leaseRow(shard.id());
                row.holder
                        .filter(holder -> row.until.isAfter(now))
                        .ifPresent(holder -> holdings.put(
                                shard.id(), new Census.Holding(holder, row.epoch, Duration.between(now, row.until))));
            }
            return new Census(present, holdings);
        }
    }

    @Override
    public void leave(String member) {
        synchronized (database) {
            database.nodes.remove(member);
        }
    }
}
