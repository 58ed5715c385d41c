package dev.flowstone.kernel.schedule;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * When a recurring timer is due (rule R19). It keeps its grid: the next time depends on the grid alone, never on when the
 * last one really fired, so that late firings don't add up.
 */
public sealed interface Recurrence {
    /** The first time of the grid strictly after that one, or empty if there is none before the year 10000. */
    Optional<Instant> next(Instant after);

    /**
     * When to fire again, after the firing that was due at {@code due} has happened at {@code now}.
     *
     * <p>With {@link CatchUp#ONCE} the late firing stands for all that were missed; the next one is ahead of {@code now}.
     * With {@link CatchUp#EACH} the missed ones follow one by one, each with a due time of its own.
     */
    default Optional<Instant> following(Instant due, Instant now, CatchUp catchUp) {
        return switch (catchUp) {
            case ONCE -> next(now.isAfter(due) ? now : due);
            case EACH -> next(due);
        };
    }

    /** What becomes of due times that passed while nobody could fire them. */
    enum CatchUp {
        ONCE,
        EACH
    }

    /**
     * {@code anchor}, and every {@code period} after it; nothing before it.
     *
     * @param anchor cut to what events can store
     * @param period at least a millisecond, in whole microseconds
     */
    record Every(Instant anchor, Duration period) implements Recurrence {
        private static final Duration SHORTEST = Duration.ofMillis(1);

        public Every {
            anchor = Times.storable(anchor);
            if (period.compareTo(SHORTEST) < 0 || period.toNanosPart() % 1_000 != 0) {
                throw new IllegalArgumentException(
                        "a period is at least a millisecond, in whole microseconds, not " + period);
            }
        }

        @Override
        public Optional<Instant> next(Instant after) {
            if (after.isBefore(anchor)) {
                return storable(anchor);
            }
            if (after.isAfter(Times.LAST)) {
                return Optional.empty();
            }
            try {
                long passed = Duration.between(anchor, after).dividedBy(period);
                return storable(anchor.plus(period.multipliedBy(passed + 1)));
            } catch (DateTimeException | ArithmeticException e) {
                return Optional.empty();
            }
        }

        private static Optional<Instant> storable(Instant due) {
            return due.isAfter(Times.LAST) ? Optional.empty() : Optional.of(due);
        }
    }

    /** The due times of a schedule in a zone. */
    record Scheduled(Schedule schedule, ZoneId zone) implements Recurrence {
        public Scheduled {
            requireNonNull(schedule);
            requireNonNull(zone);
        }

        @Override
        public Optional<Instant> next(Instant after) {
            return schedule.next(zone, after, false).map(Due::at);
        }
    }
}
