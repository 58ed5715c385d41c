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
import dev.flowstone.engine.trigger.TriggerSchedules.Place;
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

/** Claims the ticks that are due of schedules in this node's shards, a page at a time. Not thread-safe. */
final class ScheduleClaims {
    private static final System.Logger LOG = System.getLogger(ScheduleClaims.class.getName());

    /** Ticks beyond which a transaction takes no further schedule. */
    private static final int MOST = 2_000;

    /** Until one that doesn't fire is looked at again; whoever turns it on has it looked at. The longer it is so, the later. */
    private static final Duration PARKED = Duration.ofMinutes(5);

    private static final Duration LONGEST_PARKED = Duration.ofHours(1);

    private final TriggerSchedules schedules;
    private final SchedulePages pages;
    private final RulesCache rules;
    private final Watch watch;

    ScheduleClaims(TriggerSchedules schedules, RulesCache rules, Duration missedAfter) {
        this.schedules = requireNonNull(schedules);
        this.pages = new SchedulePages(schedules);
        this.rules = requireNonNull(rules);
        this.watch = new Watch(missedAfter);
    }

    /**
     * What a look has found.
     *
     * @param claimed how many ticks
     * @param skipped how many schedules have left out ticks that were missed
     * @param isFull whether there may be more that is due
     * @param next when the next schedule is due, if that is before the horizon
     */
    record Look(int claimed, int skipped, boolean isFull, Optional<Instant> next) {
        Look {
            requireNonNull(next);
        }
    }

    /**
     * Claims what is due.
     *
     * @param now in database time
     * @param horizon how far it looks ahead
     */
    Look look(Collection<Lease> mine, Instant now, Duration horizon) throws JournalException {
        watch.look(mine, now);
        SchedulePages.Found found = pages.waiting(mine, now.plus(horizon));
        List<Advance> advances = new ArrayList<>();
        Optional<Instant> next = Optional.empty();
        int ticks = 0;
        boolean isFull = found.isFull();
        for (Scheduled one : found.schedules()) {
            if (one.lookAt().isAfter(now)) {
                next = next.filter(one.lookAt()::isAfter).or(() -> Optional.of(one.lookAt()));
            } else if (ticks >= MOST) {
                isFull = true;
            } else {
                Optional<Advance> advance = lease(mine, one.key().slot()).map(lease -> advance(lease, one, now));
                advance.ifPresent(advances::add);
                ticks += advance.map(it -> it.ticks().size()).orElse(0);
            }
        }
        return new Look(claim(advances, now), told(advances, now), isFull && !advances.isEmpty(), next);
    }

    private static Optional<Lease> lease(Collection<Lease> mine, Slot slot) {
        return mine.stream().filter(lease -> lease.shard().holds(slot)).findFirst();
    }

    /** How many are claimed. What the store refuses of one keeps no other from firing. */
    private int claim(List<Advance> advances, Instant now) throws JournalException {
        if (advances.isEmpty()) {
            return 0;
        }
        Exception refused;
        try {
            return schedules.advance(advances).size();
        } catch (JournalException.BadData | RuntimeException e) {
            refused = e;
        }
        if (advances.size() > 1) {
            int half = advances.size() / 2;
            return claim(advances.subList(0, half), now) + claim(advances.subList(half, advances.size()), now);
        }
        Advance one = advances.getFirst();
        LOG.log(Level.ERROR, "trigger " + one.trigger().id() + " doesn't fire: its ticks can't be claimed", refused);
        return schedules
                .advance(List.of(parked(one.lease(), one.trigger(), one.from(), now.plus(PARKED))))
                .size();
    }

    private Advance advance(Lease lease, Scheduled one, Instant now) {
        Optional<Trigger> trigger = one.trigger();
        if (trigger.isPresent() && trigger.get().fires()) {
            try {
                TickPlan plan = TickPlan.of(
                        rules.of(trigger.get()), one.place().due(), one.place().since(), now, watch.missedAfter(lease));
                return new Advance(
                        lease,
                        one.key(),
                        one.place(),
                        plan.next(),
                        plan.next().orElse(Times.LAST),
                        plan.ticks().stream()
                                .map(tick -> claim(one.key(), tick, now))
                                .toList());
            } catch (RuntimeException e) {
                // It must not keep others from firing.
                LOG.log(Level.ERROR, "trigger " + one.key().id() + " doesn't fire: its schedule can't be read", e);
            }
        }
        Duration off = Duration.between(one.place().since(), now);
        Duration pause = off.compareTo(LONGEST_PARKED) > 0 ? LONGEST_PARKED : off;
        return parked(
                lease,
                one.key(),
                one.place(),
                now.plus(pause.compareTo(PARKED) > 0 && trigger.isPresent() ? pause : PARKED));
    }

    private static Advance parked(Lease lease, TriggerKey key, Place place, Instant until) {
        return new Advance(lease, key, place, place.due(), until, List.of());
    }

    private static Claim claim(TriggerKey key, Instant tick, Instant now) {
        Arrival arrival = Arrival.tick(key, tick, now);
        return new Claim(arrival, RequestSlot.of(key.tenant(), Launcher.requestId(arrival)));
    }

    /** How many have left something out. Nothing else would tell of it. */
    private static int told(List<Advance> advances, Instant now) {
        List<Advance> skipping = advances.stream().filter(it -> skips(it, now)).toList();
        if (!skipping.isEmpty()) {
            Advance first = skipping.getFirst();
            LOG.log(
                    Level.INFO,
                    skipping.size() + " schedules leave out ticks that were missed, as they say; trigger "
                            + first.trigger().id() + " those since "
                            + first.from().due().map(Instant::toString).orElse(""));
        }
        return skipping.size();
    }

    private static boolean skips(Advance it, Instant now) {
        return it.from().due().isPresent()
                && !it.from().due().get().isAfter(now)
                && !it.due().equals(it.from().due())
                && (it.ticks().isEmpty()
                        || !it.ticks()
                                .getFirst()
                                .arrival()
                                .sentAt()
                                .equals(it.from().due()));
    }
}
