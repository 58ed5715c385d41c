package dev.flowstone.engine.ownership;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What a node knows of the others that it shares shards with, and what it may take, and has to give, because of them. Not
 * thread-safe.
 */
final class Company {
    private static final System.Logger LOG = System.getLogger(Company.class.getName());

    private final Leases leases;
    private final LeaseConfig config;
    private final Member self;
    private final Clock clock;
    private volatile Census census = Census.EMPTY;

    /** Whether that is as new as it ought to be. */
    private volatile boolean sees;

    private Share share = Share.NONE;
    private Instant lookAt = Instant.MIN;

    /** Since when this node has seen that nobody holds it. */
    private final Map<ShardId, Instant> freeSince = new HashMap<>();

    Company(Leases leases, LeaseConfig config, Member self, Clock clock) {
        this.leases = leases;
        this.config = config;
        this.self = self;
        this.clock = clock;
    }

    /**
     * Says that the node is there, and looks who else is, if it is time to.
     *
     * @return whether that was done
     */
    boolean look() {
        Instant before = clock.now();
        if (!config.isDue(lookAt, before)) {
            return false;
        }
        try {
            census = leases.announce(self, config.timeToLive());
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "other nodes can't be seen: " + e.getMessage());
            sees = false;
            lookAt = before.plus(config.retry());
            return false;
        }
        share = Share.of(census, leases.shards().size(), self.name());
        for (Shard shard : leases.shards()) {
            if (census.holdings().containsKey(shard.id())) {
                freeSince.remove(shard.id());
            } else {
                freeSince.putIfAbsent(shard.id(), before);
            }
        }
        sees = true;
        lookAt = before.plus(pause());
        return true;
    }

    /** Until something may have changed: sooner if shards are lacking, or somebody's word runs out. */
    private Duration pause() {
        Duration pause = share.held() < share.fair() ? config.retry() : config.renewal();
        for (Census.Present present : census.present()) {
            if (!present.member().equals(self)) {
                pause = shorter(pause, present.left());
            }
        }
        for (Census.Holding holding : census.holdings().values()) {
            if (!holding.holder().equals(self.name())) {
                pause = shorter(pause, holding.left());
            }
        }
        return pause.compareTo(config.retry()) < 0 ? config.retry() : pause;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** What was seen last. Thread-safe. */
    Census census() {
        return census;
    }

    /** Whether the node said lately that it is there, and was heard. Thread-safe. */
    boolean sees() {
        return sees;
    }

    /** When to look next. */
    Instant lookAt() {
        return lookAt;
    }

    /** Something has changed. */
    void lookSoon() {
        lookAt = Instant.MIN;
    }

    /**
     * Whether the node may take the shard, as far as it knows. One that it has held before, by its name, it takes back at once;
     * one that nobody has taken for the time of two leases, whoever ought to, it takes beyond its share.
     *
     * @param keeps what the node holds and doesn't give away
     */
    boolean mayTake(ShardId shard, int keeps) {
        Census.Holding holding = census.holdings().get(shard);
        if (holding != null) {
            return holding.holder().equals(self.name());
        }
        Instant free = freeSince.get(shard);
        return free != null
                && (keeps < share.fair()
                        || !clock.now().isBefore(free.plus(config.timeToLive().multipliedBy(2))));
    }

    /** How many shards the node has too much of, as it saw last. */
    int surplus() {
        return share.surplus();
    }

    /** The node is there no longer. */
    void leave() {
        try {
            leases.leave(self.name());
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "others will believe for a while that this node is there: " + e.getMessage());
        }
    }
}
