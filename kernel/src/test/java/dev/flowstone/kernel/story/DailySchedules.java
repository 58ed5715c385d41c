package dev.flowstone.kernel.story;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Schedule;
import dev.flowstone.kernel.schedule.ScheduleFault;
import dev.flowstone.kernel.schedule.ScheduleField;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/** {@code 01:30} is every day at that time, {@code never} never; the real notation is read by a floor above. */
public final class DailySchedules implements Schedules {
    @Override
    public Reading read(String expression, ScheduleFormat format) {
        if (expression.equals("never")) {
            return new Parsed(new Daily(expression, Optional.empty()));
        }
        try {
            return new Parsed(new Daily(expression, Optional.of(LocalTime.parse(expression))));
        } catch (DateTimeException e) {
            return new Refused(
                    new ScheduleFault(ScheduleField.EXPRESSION, "'" + expression + "' is no time", "such as 01:30"));
        }
    }

    private record Daily(String expression, Optional<LocalTime> time) implements Schedule {
        @Override
        public Optional<Due> next(ZoneId zone, Instant from, boolean inclusive) {
            if (time.isEmpty()) {
                return Optional.empty();
            }
            ZonedDateTime at = from.atZone(zone).with(time.get());
            while (!at.toInstant().isAfter(from)) {
                at = at.toLocalDate().plusDays(1).atTime(time.get()).atZone(zone);
            }
            return at.toInstant().isAfter(Times.LAST)
                    ? Optional.empty()
                    : Optional.of(new Due(at.toInstant(), at.toLocalDateTime(), Due.Clock.PLAIN));
        }

        @Override
        public boolean isNever() {
            return time.isEmpty();
        }
    }
}
