package dev.flowstone.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Instants in and out of {@code timestamptz}, which keeps microseconds. */
final class Times {
    /** Before every time that is kept, and still a timestamp to PostgreSQL. */
    static final Instant EARLIEST = Instant.parse("-4000-01-01T00:00:00Z");

    private Times() {}

    static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static Optional<Instant> optional(ResultSet row, int column) throws SQLException {
        @Nullable OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return Optional.ofNullable(value).map(OffsetDateTime::toInstant);
    }

    static OffsetDateTime parameter(Instant value) {
        return value.atOffset(ZoneOffset.UTC);
    }

    /** The next whole microsecond: a timer is never early, not even by less than one. */
    static Instant notBefore(Instant value) {
        Instant cut = value.truncatedTo(ChronoUnit.MICROS);
        return cut.equals(value) ? value : cut.plus(1, ChronoUnit.MICROS);
    }
}
