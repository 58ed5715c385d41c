package dev.flowstone.engine.ownership;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

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

    private volatile boolean failed;

    private Share share = Share.NONE;
    private Instant lookAt = Instant.MIN;
    private Instant looked = Instant.EPOCH;
    private volatile boolean lookAsked;

    /** Since when this node has seen that nobody holds it. */
    private final Map<ShardId, Instant> freeSince = new HashMap<>();

    /** Given away since it looked last. */
    private final Set<ShardId> given = new HashSet<>();

    /** Since when it has more than its share, because nobody else took it. */
    private Instant burdened = Instant.EPOCH;

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
        boolean asked = lookAsked && config.isDue(looked.plus(config.retry()), before);
        if (!asked && !config.isDue(lookAt, before)) {
            return false;
        }
        lookAsked = false;
        looked = before;
        try {
            census = leases.announce(self, config.timeToLive());
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "other nodes can't be seen: " + e.getMessage());
            sees = false;
            failed = true;
            lookAt = before.plus(config.retry());
            return false;
        }
        given.clear();
        share = Share.of(census, leases.shards().size(), self.name());
        for (Shard shard : leases.shards()) {
            if (census.holdings().containsKey(shard.id())) {
                freeSince.remove(shard.id());
            } else {
                // Not later than now, wherever the clock was before.
                freeSince.merge(shard.id(), before, (since, now) -> since.isBefore(now) ? since : now);
            }
        }
        sees = true;
        failed = false;
        lookAt = before.plus(pause());
        return true;
    }

    /** Until something may have changed: sooner while a shard is on its way, or if somebody's word runs out. */
    private Duration pause() {
        boolean changes = share.held() < share.fair()
                || census.holdings().size() < leases.shards().size();
        Duration pause = changes ? config.retry() : config.renewal();
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

    /** Whether it couldn't say so when it tried last. Thread-safe. */
    boolean failed() {
        return failed;
    }

    /** Something isn't as it was seen: the next look is not put off, but for what lies between two of them at least. Thread-safe. */
    void lookSoon() {
        lookAsked = true;
    }

    /** When to look next. */
    Instant lookAt() {
        return lookAt;
    }

    /** The shard was given away, and is nobody's until it is seen with another. */
    void gave(ShardId shard) {
        given.add(shard);
        lookAt = clock.now();
    }

    /**
     * Whether the node may take the shard, as far as it knows. One that it has held before, by its name, it takes back at once;
     * one that nobody comes for who ought to, it takes beyond its share.
     *
     * @param keeps how many it holds and doesn't give away
     */
    boolean mayTake(ShardId shard, int keeps) {
        if (given.contains(shard)) {
            return false;
        }
        Census.Holding holding = census.holdings().get(shard);
        if (holding != null) {
            return holding.holder().equals(self.name());
        }
        Instant free = freeSince.get(shard);
        if (free == null) {
            return false;
        }
        return keeps < share.fair() || !clock.now().isBefore(free.plus(config.orphaned()));
    }

    /**
     * The node has taken a shard: back, or because nobody else did if it has enough.
     *
     * @param keeps how many it held before and doesn't give away
     */
    void took(ShardId shard, int keeps) {
        if (keeps >= share.fair() && !census.holdings().containsKey(shard)) {
            burdened = clock.now();
        }
    }

    /**
     * How many shards to give away. None soon after it had to take one that nobody came for: they still may not. None while
     * somebody has shards who shares with nobody, and would take every one that is free.
     *
     * @param keeps how many it holds and doesn't give away already
     */
    int surplus(int keeps) {
        Instant now = clock.now();
        boolean rests = !now.isBefore(burdened) && now.isBefore(burdened.plus(config.rest()));
        return rests || hasStrangers() ? 0 : Math.max(0, keeps - share.fair());
    }

    private boolean hasStrangers() {
        return census.holdings().values().stream()
                .anyMatch(holding -> census.present().stream()
                        .noneMatch(present -> present.member().name().equals(holding.holder())));
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
