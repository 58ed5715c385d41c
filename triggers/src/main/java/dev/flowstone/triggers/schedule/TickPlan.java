package dev.flowstone.triggers.schedule;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.schedule.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a schedule has to fire now, and when next.
 *
 * @param ticks to be fired, by time; whole seconds, each once
 * @param next the first one after now; empty if there is none before the year 10000
 */
public record TickPlan(List<Instant> ticks, Optional<Instant> next) {
    public TickPlan {
        ticks = List.copyOf(ticks);
        requireNonNull(next);
    }

    /**
     * Makes it.
     *
     * @param due the first tick that nobody has seen to yet; empty to count from {@code since}; if it is later than the first one after
     *     now, that one takes its place
     * @param since when the trigger began to fire: what was due before was missed
     * @param missedAfter by how much a tick may be late, and isn't missed yet
     */
    public static TickPlan of(
            ScheduleRules rules, Optional<Instant> due, Instant since, Instant now, Duration missedAfter) {
        Ticks ticks = new Ticks(rules);
        if (due.isPresent() && due.get().isAfter(now)) {
            // Whoever set it may have had another clock, or other rules of time zones.
            Instant from = since.isAfter(now) ? since : now;
            return new TickPlan(
                    List.of(), ticks.after(from).filter(due.get()::isAfter).or(() -> due));
        }
        Instant late = now.minus(missedAfter);
        Instant boundary = late.isAfter(since) ? late : since;
        List<Instant> fired = new ArrayList<>();
        Optional<Instant> next = due.or(() -> ticks.after(since));
        if (next.isPresent() && next.get().isBefore(boundary)) {
            int most = switch (rules.missed()) {
                case SKIP -> 0;
                case ONCE -> 1;
                case ALL -> rules.maxMissed();
            };
            fired.addAll(ticks.last(most, next.get(), boundary));
            next = ticks.from(boundary);
        }
        while (next.isPresent() && !next.get().isAfter(now)) {
            fired.add(next.get());
            next = ticks.after(next.get());
        }
        return new TickPlan(fired, next);
    }

    /** Of one schedule in its zone. */
    private record Ticks(ScheduleRules rules) {
        Optional<Instant> after(Instant instant) {
            return rules.next(instant).map(Due::at);
        }

        /** The first one that isn't before; one that daylight saving has moved there included. */
        Optional<Instant> from(Instant instant) {
            return after(instant.minusNanos(1));
        }

        /** So many of them from there on, at most, and before an end. */
        List<Instant> first(int most, Instant from, Instant end) {
            List<Instant> found = new ArrayList<>();
            Optional<Instant> next = from(from);
            while (found.size() < most && next.isPresent() && next.get().isBefore(end)) {
                found.add(next.get());
                next = after(next.get());
            }
            return found;
        }

        /** The last so many of those from there on and before an end; there is one a second at most, so that halving finds where to begin. */
        List<Instant> last(int most, Instant from, Instant end) {
            if (most == 0 || first(most, from, end).size() < most) {
                return first(most, from, end);
            }
            long enough = from.getEpochSecond();
            long few = end.getEpochSecond() + 1;
            while (few - enough > 1) {
                long middle = enough + (few - enough) / 2;
                if (first(most, Instant.ofEpochSecond(middle), end).size() == most) {
                    enough = middle;
                } else {
                    few = middle;
                }
            }
            return first(most, Instant.ofEpochSecond(enough), end);
        }
    }
}
