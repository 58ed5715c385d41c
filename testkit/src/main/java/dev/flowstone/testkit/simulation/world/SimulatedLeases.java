package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One node's way to the leases: calls fail here, epochs are noted, and where nodes don't share by themselves, nobody gets all
 * shards while others have none.
 */
final class SimulatedLeases implements Leases {
    private final Strikes strikes;
    private final Epochs epochs;
    private final Leases database;
    private final Predicate<ShardId> mayHave;

    SimulatedLeases(Strikes strikes, Epochs epochs, Leases database, Predicate<ShardId> mayHave) {
        this.strikes = strikes;
        this.epochs = epochs;
        this.database = database;
        this.mayHave = mayHave;
    }

    @Override
    public List<Shard> shards() {
        return database.shards();
    }

    @Override
    public Optional<Lease> acquire(ShardId shard, String holder, Duration timeToLive) throws JournalException {
        strikes.lease();
        if (!mayHave.test(shard)) {
            return Optional.empty();
        }
        Optional<Lease> lease = database.acquire(shard, holder, timeToLive);
        lease.ifPresent(epochs::granted);
        return lease;
    }

    @Override
    public Optional<Lease> renew(Lease lease, Duration timeToLive) throws JournalException {
        strikes.lease();
        return database.renew(lease, timeToLive);
    }

    @Override
    public void release(Lease lease) throws JournalException {
        strikes.lease();
        database.release(lease);
    }

    @Override
    public Census announce(Member member, Duration timeToLive) throws JournalException {
        strikes.lease();
        return database.announce(member, timeToLive);
    }

    @Override
    public Census census() throws JournalException {
        strikes.lease();
        return database.census();
    }

    @Override
    public void leave(String member) throws JournalException {
        strikes.lease();
        database.leave(member);
    }
}
