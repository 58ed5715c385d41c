package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * When schedule triggers are due, and the ticks that were claimed and not yet settled. A schedule is its {@link TriggerKey#slot slot}'s: the
 * owner of the shard that has it claims its ticks. A tick is its start's slot's: the owner of that one starts it. Thread-safe.
 *
 * <pre>
 *   waiting ─▶ advance ─▶ open ─▶ close     settled as a delivery
 *                           ▲ └─▶ defer     not now: tried again
 *                           └──────┘
 * </pre>
 */
public interface TriggerSchedules {
    /** Open ticks that a tenant has at most; what is claimed beyond them is a delivery that was refused. */
    int MOST_OPEN = 10_000;

    /** The database's time, which all times here are of: a node's clock may be wrong. */
    Instant now() throws JournalException;

    /**
     * Schedules that are to be looked at until then, the first first, whether they fire or not; at most a page.
     *
     * @param mine whose slots are looked at
     * @param without whose schedules are left out
     */
    List<Scheduled> waiting(Collection<Lease> mine, Instant until, Collection<TenantId> without, int limit)
            throws JournalException;

    /**
     * Moves schedules on, and writes their ticks down as deliveries that were received and are open, in one transaction. One that somebody
     * else has moved or changed since it was read stays as it is, and so does one whose lease has passed to somebody else.
     *
     * @return the ids of the ticks that are claimed now, and to be started
     */
    Set<UUID> advance(List<Advance> advances) throws JournalException;

    /**
     * Open ticks whose start is these shards', and that are due to be tried, the first first; at most a page.
     *
     * @param mine whose slots are looked at
     * @param without whose ticks are left out
     * @param known ticks that are left out
     */
    List<OpenTick> open(
            Collection<Lease> mine, Instant now, Collection<TenantId> without, Collection<UUID> known, int limit)
            throws JournalException;

    /** Has open ticks wait, from now on; each counts an attempt. */
    void defer(List<Deferred> ticks) throws JournalException;

    /** Writes what became of open ticks, in one transaction; nothing of those that aren't open any more. */
    void close(List<Settled> settled) throws JournalException;

    /**
     * How far a schedule is.
     *
     * @param due the first tick that was not seen to; empty if that is to be counted from {@code since}
     * @param since when the trigger was made or turned on, or its workflow was
     * @param turn another one after each change
     */
    record Place(Optional<Instant> due, Instant since, long turn) {
        public Place {
            requireNonNull(due);
            requireNonNull(since);
        }
    }

    /**
     * A trigger and how far its schedule is.
     *
     * @param trigger empty if it can't be read
     * @param lookAt when somebody has to look at it: when it is due, if it fires
     */
    record Scheduled(TriggerKey key, Optional<Trigger> trigger, Place place, Instant lookAt) {
        public Scheduled {
            requireNonNull(key);
            requireNonNull(trigger);
            requireNonNull(place);
            requireNonNull(lookAt);
        }
    }

    /**
     * A step of a schedule.
     *
     * @param lease of the shard that has its slot
     * @param from as it was read
     * @param due the first tick after these; empty if there is none
     * @param lookAt when to look at it next
     * @param ticks to be claimed
     */
    record Advance(
            Lease lease, TriggerKey trigger, Place from, Optional<Instant> due, Instant lookAt, List<Claim> ticks) {
        public Advance {
            requireNonNull(lease);
            requireNonNull(trigger);
            requireNonNull(from);
            requireNonNull(due);
            requireNonNull(lookAt);
            ticks = List.copyOf(ticks);
        }
    }

    /**
     * A tick to be claimed.
     *
     * @param arrival named by the tick
     * @param slot of its start
     */
    record Claim(Arrival arrival, Slot slot) {
        public Claim {
            requireNonNull(arrival);
            requireNonNull(slot);
        }
    }

    /**
     * One that was claimed and isn't settled.
     *
     * @param trigger as it is now; empty if it can't be read
     * @param slot of its start
     * @param tries how often it was deferred
     * @param firstTried when it was deferred first
     */
    record OpenTick(
            Optional<Trigger> trigger,
            Arrival arrival,
            Instant tick,
            Slot slot,
            int tries,
            Optional<Instant> firstTried) {
        public OpenTick {
            requireNonNull(trigger);
            requireNonNull(arrival);
            requireNonNull(tick);
            requireNonNull(slot);
            requireNonNull(firstTried);
        }
    }

    /** An open tick that is to be tried again, after a while. */
    record Deferred(Arrival arrival, Duration pause) {
        public Deferred {
            requireNonNull(arrival);
            requireNonNull(pause);
        }
    }
}
