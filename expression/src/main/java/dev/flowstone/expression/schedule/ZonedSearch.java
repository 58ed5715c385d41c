package dev.flowstone.expression.schedule;

import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Due.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One search through a zone's periods of constant offset. In a period, instants and wall times are the same thing; between
 * two of them there is a gap, whose due times are moved to its end, or an overlap, whose second pass is only for intervals.
 *
 * <pre>
 *  wall  01:00      02:00 ╌╌gap╌╌ 03:00        01:00     02:00            fixed "30 1": the first pass only
 *  ───────┴───────────┤             ├───  …  ────┴─────────┤              interval "*&#47;30": both
 *                          moved to ─┘                01:00 └──────02:00
 * </pre>
 */
final class ZonedSearch {
    /** More than two offsets can differ by, and than any two changes of offset that could concern the same wall time. */
    private static final long MARGIN_DAYS = 4;

    private final CronSchedule schedule;
    private final ZoneRules rules;
    private final StepCount steps;

    /** Where the search is: an instant, its offset, and the wall time from which on due times count. */
    private Instant cursor;

    private ZoneOffset offset;
    private LocalDateTime local;

    ZonedSearch(CronSchedule schedule, ZoneRules rules, Instant from, boolean inclusive, StepCount steps) {
        this.schedule = schedule;
        this.rules = rules;
        this.steps = steps;
        Instant second = Instant.ofEpochSecond(from.getEpochSecond());
        cursor = inclusive && second.equals(from) ? from : second.plusSeconds(1);
        ZoneOffsetTransition change = rules.nextTransition(from);
        if (change != null && change.getInstant().equals(cursor)) {
            // Between from and the next whole second the clock jumps: that jump is still ahead.
            cursor = second;
            offset = change.getOffsetBefore();
            local = change.getDateTimeBefore();
        } else {
            offset = rules.getOffset(cursor);
            local = afterFirstPass(LocalDateTime.ofEpochSecond(cursor.getEpochSecond(), 0, offset));
        }
    }

    Optional<Due> find() {
        while (true) {
            steps.add();
            LocalDateTime wall = schedule.times().next(local, steps);
            ZoneOffsetTransition change = rules.nextTransition(cursor);
            if (wall != null && (change == null || wall.isBefore(change.getDateTimeBefore()))) {
                return Optional.of(due(wall));
            }
            boolean rewinds = change != null
                    && change.isOverlap()
                    && schedule.isInterval()
                    && change.getDateTimeAfter().isBefore(local);
            if (change == null || (wall == null && !rewinds)) {
                return Optional.empty();
            }
            if (wall != null && !rewinds && leap(wall, change)) {
                continue;
            }
            if (wall != null && change.isGap() && wall.isBefore(change.getDateTimeAfter())) {
                return Optional.of(moved(wall, change));
            }
            cross(change);
        }
    }

    /** Goes to shortly before a wall time that is far away: up to there is none, so no change of offset matters. */
    private boolean leap(LocalDateTime wall, ZoneOffsetTransition change) {
        Instant near = wall.minusDays(MARGIN_DAYS).toInstant(ZoneOffset.UTC);
        if (!near.isAfter(change.getInstant())) {
            return false;
        }
        cursor = near;
        offset = rules.getOffset(near);
        local = LocalDateTime.ofEpochSecond(near.getEpochSecond(), 0, offset);
        return true;
    }

    private void cross(ZoneOffsetTransition change) {
        cursor = change.getInstant();
        offset = change.getOffsetAfter();
        local = change.isOverlap() && !schedule.isInterval() ? change.getDateTimeBefore() : change.getDateTimeAfter();
    }

    /** The wall time, or the end of an overlap if this is its second pass and not for us. */
    private LocalDateTime afterFirstPass(LocalDateTime wall) {
        ZoneOffsetTransition change = rules.getTransition(wall);
        boolean second =
                change != null && change.isOverlap() && change.getOffsetAfter().equals(offset);
        return change != null && second && !schedule.isInterval() ? change.getDateTimeBefore() : wall;
    }

    private Due due(LocalDateTime wall) {
        return new Due(wall.toInstant(offset), wall, clock(rules.getTransition(wall)));
    }

    private Clock clock(@Nullable ZoneOffsetTransition change) {
        if (change == null || change.isGap()) {
            return Clock.PLAIN;
        }
        if (!schedule.isInterval()) {
            return Clock.ONCE_OF_TWO;
        }
        return change.getOffsetBefore().equals(offset) ? Clock.FIRST_OF_TWO : Clock.SECOND_OF_TWO;
    }

    private Due moved(LocalDateTime wall, ZoneOffsetTransition gap) {
        LocalDateTime another = schedule.times().next(wall.plusSeconds(1), steps);
        boolean merged = another != null && !another.isAfter(gap.getDateTimeAfter());
        return new Due(gap.getInstant(), wall, merged ? Clock.MERGED : Clock.MOVED);
    }
}
