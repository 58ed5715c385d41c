package dev.flowstone.triggers.schedule;

import static java.util.Objects.requireNonNull;

import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.kernel.schedule.Schedule;
import dev.flowstone.kernel.schedule.ScheduleFormat;
import dev.flowstone.kernel.schedule.Schedules;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * What a schedule trigger's configuration says.
 *
 * @param schedule that has a tick at all
 * @param maxMissed how many of those that were missed fire at most, of {@link MissedFire#ALL}
 */
public record ScheduleRules(Schedule schedule, ZoneId zone, MissedFire missed, int maxMissed) {
    public static final String CRON = "cron";
    public static final String ZONE = "timeZone";
    public static final String POLICY = "missedFirePolicy";
    public static final String MAX_MISSED = "maxMissed";
    public static final String USUAL_ZONE = "UTC";
    public static final int USUAL_MISSED = 100;
    public static final int MOST_MISSED = 1_000;

    private static final Schedules SCHEDULES = new CronSchedules();

    public ScheduleRules {
        requireNonNull(schedule);
        requireNonNull(zone);
        requireNonNull(missed);
        if (maxMissed < 1 || maxMissed > MOST_MISSED) {
            throw new IllegalArgumentException(
                    "of ticks that were missed, 1 to " + MOST_MISSED + " fire, not " + maxMissed);
        }
    }

    /** A cron expression of five fields, or six with seconds; what is wrong with it is an {@link IllegalArgumentException} that says so. */
    public static Schedule schedule(String cron) {
        Schedule schedule = switch (SCHEDULES.read(cron, ScheduleFormat.EITHER)) {
            case Schedules.Refused refused ->
                throw new IllegalArgumentException(refused.fault().message());
            case Schedules.Parsed parsed -> parsed.schedule();
        };
        if (schedule.isNever()
                || schedule.next(ZoneId.of(USUAL_ZONE), Instant.EPOCH, true).isEmpty()) {
            throw new IllegalArgumentException("it never fires: there is no such day in any year up to 9999");
        }
        return schedule;
    }

    /** A time zone by its name; what is none is an {@link IllegalArgumentException}. */
    public static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "a time zone is a name such as Europe/Berlin or UTC, or an offset such as +02:00", e);
        }
    }

    /** Of a configuration that was written by {@link #toJson}. */
    public static ScheduleRules of(JsonObject config) {
        return new ScheduleRules(
                schedule(text(config, CRON)),
                zone(text(config, ZONE)),
                MissedFire.of(text(config, POLICY))
                        .orElseThrow(() -> new IllegalArgumentException("no policy for ticks that were missed")),
                config.get(MAX_MISSED) instanceof JsonNumber number ? (int) number.longValue() : USUAL_MISSED);
    }

    private static String text(JsonObject config, String member) {
        if (config.get(member) instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException("a schedule's configuration has '" + member + "'");
    }

    /** The first tick after that. */
    public Optional<Due> next(Instant after) {
        return schedule.next(zone, after, false);
    }

    public JsonObject toJson() {
        JsonObject.Builder json = JsonObject.builder()
                .put(CRON, schedule.expression())
                .put(ZONE, zone.getId())
                .put(POLICY, missed.word());
        if (missed == MissedFire.ALL) {
            json.put(MAX_MISSED, maxMissed);
        }
        return json.build();
    }

    /** What an execution that a tick starts gets as its {@code trigger}. */
    public JsonObject payload(Instant tick) {
        return JsonObject.builder()
                .put("scheduledAt", tick.toString())
                .put(ZONE, zone.getId())
                .build();
    }
}
