package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Advance;
import dev.flowstone.engine.trigger.TriggerSchedules.Claim;
import dev.flowstone.engine.trigger.TriggerSchedules.Scheduled;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.triggers.schedule.TickPlan;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Claims the ticks that are due of schedules in this node's shards, a page at a time. */
final class ScheduleClaims {
    /** Schedules that are looked at together. */
    static final int PAGE = 500;

    private static final System.Logger LOG = System.getLogger(ScheduleClaims.class.getName());

    /** Ticks beyond which a transaction takes no further schedule. */
    private static final int MOST = 2_000;

    /** Until one that doesn't fire is looked at again; whoever turns it on has it looked at. */
    private static final Duration PARKED = Duration.ofMinutes(5);

    private final TriggerSchedules schedules;
    private final RulesCache rules;
    private final Duration missedAfter;

    ScheduleClaims(TriggerSchedules schedules, RulesCache rules, Duration missedAfter) {
        this.schedules = requireNonNull(schedules);
        this.rules = requireNonNull(rules);
        this.missedAfter = requireNonNull(missedAfter);
    }

    /**
     * What a look has found.
     *
     * @param claimed how many ticks
     * @param isFull whether there may be more that is due
     * @param next when the next schedule is due, if that is before the horizon
     */
    record Look(int claimed, boolean isFull, Optional<Instant> next) {
        Look {
            requireNonNull(next);
        }
    }

    /**
     * Claims what is due.
     *
     * @param horizon how far it looks ahead
     */
    Look look(Collection<Lease> mine, Instant now, Duration horizon) throws JournalException {
        List<Scheduled> found = schedules.waiting(mine, now.plus(horizon), PAGE);
        List<Advance> advances = new ArrayList<>();
        Optional<Instant> next = Optional.empty();
        int ticks = 0;
        for (Scheduled one : found) {
            if (one.lookAt().isAfter(now)) {
                next = Optional.of(one.lookAt());
                break;
            }
            if (ticks >= MOST) {
                next = Optional.of(now);
                break;
            }
            Optional<Advance> advance = lease(mine, one.trigger().key().slot()).map(lease -> advance(lease, one, now));
            advance.ifPresent(advances::add);
            ticks += advance.map(it -> it.ticks().size()).orElse(0);
        }
        int claimed = advances.isEmpty() ? 0 : schedules.advance(advances).size();
        return new Look(claimed, found.size() == PAGE && next.isEmpty(), next);
    }

    private static Optional<Lease> lease(Collection<Lease> mine, Slot slot) {
        return mine.stream().filter(lease -> lease.shard().holds(slot)).findFirst();
    }

    private Advance advance(Lease lease, Scheduled one, Instant now) {
        Trigger trigger = one.trigger();
        if (trigger.fires()) {
            try {
                TickPlan plan = TickPlan.of(
                        rules.of(trigger), one.place().due(), one.place().since(), now, missedAfter);
                return new Advance(
                        lease,
                        trigger.key(),
                        one.place(),
                        plan.next(),
                        plan.next().orElse(Times.LAST),
                        plan.ticks().stream()
                                .map(tick -> claim(trigger.key(), tick, now))
                                .toList());
            } catch (RuntimeException e) {
                // It must not keep others from firing.
                LOG.log(Level.ERROR, "trigger " + trigger.key().id() + " doesn't fire: its schedule can't be read", e);
            }
        }
        return new Advance(lease, trigger.key(), one.place(), one.place().due(), now.plus(PARKED), List.of());
    }

    private static Claim claim(TriggerKey key, Instant tick, Instant now) {
        Arrival arrival = Arrival.tick(key, tick, now);
        return new Claim(arrival, RequestSlot.of(key.tenant(), Launcher.requestId(arrival)));
    }
}
