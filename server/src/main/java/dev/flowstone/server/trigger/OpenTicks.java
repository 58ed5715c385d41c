package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Result.Outcome;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Deferred;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.server.metric.TriggerMetrics;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Starts the open ticks of this node's shards, whoever has claimed them: those of this node, of another one that has the trigger's shard, of
 * one that went away. So many at a time; what came of them is written in batches. What can't be started for now waits, ever longer.
 */
final class OpenTicks {
    private static final System.Logger LOG = System.getLogger(OpenTicks.class.getName());

    /** At once: enough to fill the shards' commits. */
    private static final int MOST = 256;

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST_DOUBLED = 6;

    /** After which one that never was possible is refused. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final TriggerSchedules schedules;
    private final Launcher launcher;
    private final RulesCache rules;
    private final Clock clock;
    private final TriggerMetrics metrics;
    private final TickResults results;

    /** From when they are taken until what came of them is written. */
    private final Set<UUID> underWay = ConcurrentHashMap.newKeySet();

    /** @param freed told when places have become free */
    OpenTicks(
            TriggerSchedules schedules,
            Launcher launcher,
            RulesCache rules,
            Clock clock,
            TriggerMetrics metrics,
            Runnable freed) {
        this.schedules = requireNonNull(schedules);
        this.launcher = requireNonNull(launcher);
        this.rules = requireNonNull(rules);
        this.clock = requireNonNull(clock);
        this.metrics = requireNonNull(metrics);
        this.results = TickResults.start(schedules, ids -> {
            underWay.removeAll(ids);
            freed.run();
        });
    }

    /** Begins to start those that are due, as far as there is room; whether there may be more of them. */
    boolean take(Collection<Lease> mine, Instant now) throws JournalException {
        // Before it reads: what is settled meanwhile isn't under way any more, and may still be found.
        Set<UUID> known = Set.copyOf(underWay);
        int before = known.size();
        if (before >= MOST) {
            return true;
        }
        List<OpenTick> found = schedules.open(mine, now, before + MOST);
        int room = MOST - before;
        int fresh = 0;
        for (OpenTick tick : found) {
            if (!known.contains(tick.arrival().id())) {
                if (fresh++ >= room) {
                    return true;
                }
                underWay.add(tick.arrival().id());
                Thread.ofVirtual().name("flowstone-tick").start(() -> start(tick));
            }
        }
        return found.size() == before + MOST;
    }

    private void start(OpenTick tick) {
        try {
            Launched launched = launcher.launch(
                    tick.trigger(),
                    tick.arrival(),
                    rules.of(tick.trigger()).payload(tick.tick()),
                    tick.arrival().id().toString(),
                    () -> true);
            Instant now = clock.now();
            boolean isHopeless = now.isAfter(tick.arrival().receivedAt().plus(PATIENCE));
            if (launched.isForNow() && !isHopeless) {
                defer(tick, now);
            } else {
                settle(tick, launched.result(), now);
            }
        } catch (JournalException e) {
            LOG.log(
                    Level.WARNING,
                    "a tick of trigger " + tick.trigger().key().id() + " is tried again: " + e.getMessage());
            defer(tick, clock.now());
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a tick of trigger " + tick.trigger().key().id() + " is tried again", e);
            defer(tick, clock.now());
        }
    }

    private void settle(OpenTick tick, Result result, Instant now) {
        metrics.add(result.outcome());
        if (result.outcome() == Outcome.STARTED) {
            metrics.fired(Duration.between(tick.tick(), now));
        }
        results.settled(new Settled(tick.trigger().key(), tick.arrival().id(), result));
    }

    private void defer(OpenTick tick, Instant now) {
        long pause = PAUSE.toMillis() << Math.min(tick.tries(), MOST_DOUBLED);
        long spread = ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        results.deferred(new Deferred(tick.arrival(), now.plusMillis(pause - spread)));
    }

    /** Waits, for so long at most, until nothing is under way. */
    void await(Duration time) {
        results.close(time, underWay::isEmpty);
    }
}
