package dev.flowstone.expression.schedule;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A cron expression that was read.
 *
 * @param isInterval whether second, minute or hour is written with a star, a range or a step. Then the expression means
 *     "every so often" and goes on through an hour that the wall clock shows twice; else it means "at", once
 */
record CronSchedule(String expression, WallTimes times, boolean isInterval) implements Schedule {
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    @Override
    public Optional<Due> next(ZoneId zone, Instant from, boolean inclusive) {
        return next(zone, from, inclusive, new StepCount());
    }

    Optional<Due> next(ZoneId zone, Instant from, boolean inclusive, StepCount steps) {
        if (from.isAfter(Times.LAST)) {
            return Optional.empty();
        }
        ZonedSearch search = from.isBefore(FIRST)
                ? new ZonedSearch(this, zone.getRules(), FIRST, true, steps)
                : new ZonedSearch(this, zone.getRules(), from, inclusive, steps);
        return search.find().filter(due -> !due.at().isAfter(Times.LAST));
    }

    @Override
    public boolean isNever() {
        return times.months().isEmpty();
    }
}
