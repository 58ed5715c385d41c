package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.schedule.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Walks along the grid of a recurring timer. However long the timer was away, a walk takes a bounded number of steps; each
 * counts as one of an expression (R3).
 */
final class Ticks {
    /** Missed ticks are counted up to here. */
    static final int COUNTED = 1_000;

    private final Deciding deciding;
    private final Recurrence recurrence;

    Ticks(Deciding deciding, Recurrence recurrence) {
        this.deciding = deciding;
        this.recurrence = recurrence;
    }

    /**
     * Ticks that are over.
     *
     * @param last the newest
     * @param count how many; {@link #COUNTED} also stands for more
     */
    record Passed(Instant last, int count) {}

    /** The first after that time, or empty if there is none before the year 10000. */
    Optional<Instant> after(Instant time) {
        deciding.used(1, 0);
        return recurrence.next(time);
    }

    /** Those after {@code from} and up to {@code now}; empty if there are none. */
    Optional<Passed> passed(Instant from, Instant now) {
        Instant at = from;
        for (int count = 0; count < COUNTED; count++) {
            Optional<Instant> next = upTo(now, at);
            if (next.isEmpty()) {
                return count == 0 ? Optional.empty() : Optional.of(new Passed(at, count));
            }
            at = next.get();
        }
        return Optional.of(new Passed(last(at, now), COUNTED));
    }

    /** The newest up to {@code now}, by halving: {@code tick} is one, and after {@code end} there is none. */
    private Instant last(Instant tick, Instant now) {
        Instant known = tick;
        Instant end = now;
        Optional<Instant> next = upTo(now, known);
        while (next.isPresent()) {
            known = next.get();
            Instant middle = known.plus(Duration.between(known, end).dividedBy(2));
            Optional<Instant> beyond = upTo(now, middle);
            if (beyond.isPresent()) {
                known = beyond.get();
            } else {
                end = middle;
            }
            next = upTo(now, known);
        }
        return known;
    }

    private Optional<Instant> upTo(Instant now, Instant after) {
        return after(after).filter(tick -> !tick.isAfter(now));
    }
}
