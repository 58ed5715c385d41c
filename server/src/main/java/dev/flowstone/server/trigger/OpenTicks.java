package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Deferred;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.metric.TriggerMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Starts the open ticks of this node's shards, whoever has claimed them: those of this node, of another one that has the trigger's shard, of
 * one that went away. So many at a time; what came of them is written in batches. What can't be started for now waits, ever longer.
 */
final class OpenTicks {
    /** At once: a tenant, and a shard, has half of them at most, which is enough to fill its commits. */
    static final int MOST = 512;

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST_DOUBLED = 6;

    /** Places may become free as fast as it reads, while schedules are due as well. */
    private static final int MOST_PASSES = 8;

    private final TriggerSchedules schedules;
    private final TickAttempt attempt;
    private final Clock clock;
    private final TriggerMetrics metrics;
    private final TickResults results;

    /** From when they are taken until what came of them is written. */
    private final Places places = new Places(MOST);

    /** Tenants that have started as much as they may, until when, in database time. */
    private final Map<TenantId, Instant> overQuota = new ConcurrentHashMap<>();

    /** @param freed told when places have become free */
    OpenTicks(TriggerSchedules schedules, TickAttempt attempt, Clock clock, TriggerMetrics metrics, Runnable freed) {
        this.schedules = requireNonNull(schedules);
        this.attempt = requireNonNull(attempt);
        this.clock = requireNonNull(clock);
        this.metrics = requireNonNull(metrics);
        this.results = TickResults.start(schedules, ids -> {
            places.free(ids);
            freed.run();
        });
    }

    /**
     * Begins to start those that are due, as far as there is room; whether there may be more of them.
     *
     * @param now in database time
     */
    boolean take(Collection<Lease> mine, Instant now) throws JournalException {
        overQuota.values().removeIf(until -> !until.isAfter(now));
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Set<ShardId> full = places.fullShards();
            List<Lease> open =
                    mine.stream().filter(it -> !full.contains(it.shard().id())).toList();
            int room = places.free();
            if (room == 0 || open.isEmpty()) {
                return !mine.isEmpty();
            }
            Set<TenantId> without = new HashSet<>(places.fullTenants());
            boolean isOneFull = !without.isEmpty() || open.size() < mine.size();
            without.addAll(overQuota.keySet());
            // Known before it reads: what is settled meanwhile isn't under way any more, and may still be found.
            List<OpenTick> found = schedules.open(open, now, without, places.known(), room);
            int begun = 0;
            for (OpenTick tick : found) {
                Optional<ShardId> shard = shard(open, tick);
                if (shard.isPresent() && places.take(tick, shard.get())) {
                    begun++;
                    Thread.ofVirtual().name("flowstone-tick").start(() -> start(tick, now));
                }
            }
            if (found.size() < room || begun == 0) {
                return isOneFull || begun < found.size();
            }
        }
        return true;
    }

    private static Optional<ShardId> shard(List<Lease> leases, OpenTick tick) {
        return leases.stream()
                .filter(it -> it.shard().holds(tick.slot()))
                .map(it -> it.shard().id())
                .findFirst();
    }

    private void start(OpenTick tick, Instant now) {
        // Whatever happens, its place becomes free.
        TickAttempt.Ended ended = new TickAttempt.Ended.Later(Duration.ZERO, false);
        try {
            ended = attempt.at(tick, now);
        } finally {
            switch (ended) {
                case TickAttempt.Ended.Over(Result result) -> settle(tick, result);
                case TickAttempt.Ended.Later(Duration retryAfter, boolean isOverQuota) -> {
                    if (isOverQuota) {
                        overQuota.merge(tick.arrival().trigger().tenant(), now.plus(retryAfter), OpenTicks::later);
                    }
                    results.deferred(new Deferred(tick.arrival(), pause(tick.tries(), retryAfter)));
                }
            }
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private void settle(OpenTick tick, Result result) {
        Duration late = Duration.between(tick.tick(), clock.now());
        results.settled(new Settled(tick.arrival().trigger(), tick.arrival().id(), result), () -> {
            metrics.add(result.outcome());
            if (result.outcome() == Outcome.STARTED) {
                metrics.fired(late);
            }
        });
    }

    private static Duration pause(int tries, Duration least) {
        long pause = PAUSE.toMillis() << Math.min(tries, MOST_DOUBLED);
        long spread = ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        return Duration.ofMillis(Math.max(pause - spread, least.toMillis()));
    }

    /** Waits, for so long at most, until nothing is under way. */
    void await(Duration time) {
        results.close(time, places::areAllFree);
    }
}
