package dev.flowstone.server.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.time.zone.ZoneOffsetTransition;

/** Zones and points in time as people type them. */
final class PointInTime {
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .optionalStart()
            .appendOffset("+HH:MM", "Z")
            .optionalEnd()
            .toFormatter();
    private static final int DATE = "2026-11-27".length();
    private static final int LAST_YEAR = 9999;

    private PointInTime() {}

    static ZoneId zone(String text) throws UsageException {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new UsageException("there is no time zone '" + Printable.cut(text, 60)
                    + "'; allowed: a name such as Europe/Berlin, UTC, or an offset such as +02:00");
        }
    }

    /**
     * A date, or a date and time with or without an offset, between them {@code T} or a space. Without an offset it is local
     * to the zone: the first if the wall clock shows it twice, and the last moment before the jump if it is jumped over.
     */
    static Instant parse(String text, ZoneId zone) throws UsageException {
        try {
            return within(read(normal(text.strip()), zone));
        } catch (DateTimeException e) {
            throw new UsageException(
                    "'" + Printable.cut(text, 60) + "' is not a point in time of the years 1 to 9999; allowed:"
                            + " 2026-11-27, 2026-11-27T23:05, 2026-11-27T23:05:00Z, 2026-11-27 23:05:00 -05:00");
        }
    }

    private static Instant read(String text, ZoneId zone) {
        if (text.length() == DATE) {
            return local(LocalDate.parse(text).atStartOfDay(), zone);
        }
        TemporalAccessor time = TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return time instanceof OffsetDateTime offset ? offset.toInstant() : local(LocalDateTime.from(time), zone);
    }

    private static Instant local(LocalDateTime wall, ZoneId zone) {
        ZoneOffsetTransition change = zone.getRules().getTransition(wall);
        return change != null && change.isGap()
                ? change.getInstant().minusNanos(1)
                : wall.atZone(zone).toInstant();
    }

    private static Instant within(Instant time) {
        int year = time.atOffset(ZoneOffset.UTC).getYear();
        if (year < 0 || year > LAST_YEAR) {
            throw new DateTimeException("year " + year);
        }
        return time;
    }

    /** One notation for all: {@code T} in the middle, and no space before the offset. */
    private static String normal(String text) {
        if (text.length() <= DATE || text.charAt(DATE) != ' ') {
            return text.replace(" ", "");
        }
        return text.substring(0, DATE) + "T" + text.substring(DATE + 1).replace(" ", "");
    }
}
