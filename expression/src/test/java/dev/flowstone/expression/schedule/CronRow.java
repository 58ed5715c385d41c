package dev.flowstone.expression.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;

/** One row of the cron suite. Times without an offset are local to the zone; the suite has none that are ambiguous or missing. */
record CronRow(String line) {
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd[ HH:mm[:ss]]")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .optionalStart()
            .appendLiteral(' ')
            .appendOffset("+HH:MM", "Z")
            .optionalEnd()
            .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
            .toFormatter();

    String expression() {
        return column(0);
    }

    ZoneId zone() {
        return ZoneId.of(column(1));
    }

    Instant time(int column) {
        TemporalAccessor time = TIME.parseBest(column(column), OffsetDateTime::from, LocalDateTime::from);
        return time instanceof OffsetDateTime offset
                ? offset.toInstant()
                : ((LocalDateTime) time).atZone(zone()).toInstant();
    }

    String column(int column) {
        return line.split("\t", -1)[column];
    }
}
