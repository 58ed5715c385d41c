package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Set;

/** The journal's months: made two ahead at start and every day, and watched. */
public final class Partitions {
    private static final int MONTHS_AHEAD = 2;

    private final Database engine;
    private volatile Instant until = Instant.EPOCH;

    Partitions(Database engine) {
        this.engine = engine;
    }

    /** Makes what is missing; call it at least once a day. Cheap if nothing is. */
    public void ensure(Instant now) throws JournalException {
        ensure(engine, now.atOffset(ZoneOffset.UTC).plusMonths(MONTHS_AHEAD).toInstant());
        until = readUntil();
    }

    /**
     * The health value: up to when every month has its partition, when last looked at. Less than a month from now is a
     * warning, less than a day an alarm.
     */
    public Instant until() {
        return until;
    }

    private static final String NAMES = """
            SELECT child.relname FROM pg_catalog.pg_inherits
            JOIN pg_catalog.pg_class AS child ON child.oid = inhrelid
            WHERE inhparent = 'flowstone.entries'::regclass
            """;

    /**
     * Looks again, at the database itself: up to when every month from that of {@code now} on has its partition. Before {@code now}
     * if this month has none; a month that is missing between others ends it, too.
     */
    public Instant readyUntil(Instant now) throws JournalException {
        Set<String> names = Set.copyOf(engine.query(NAMES, query -> {}, row -> row.getString(1)));
        YearMonth month = YearMonth.from(now.atOffset(ZoneOffset.UTC));
        while (names.contains(
                String.format(Locale.ROOT, "entries_%04d_%02d", month.getYear(), month.getMonthValue()))) {
            month = month.plusMonths(1);
        }
        return month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    private Instant readUntil() throws JournalException {
        return engine.query("SELECT flowstone.partitions_until()", query -> {}, row -> Times.instant(row, 1))
                .getFirst();
    }

    static void ensure(Database engine, Instant until) throws JournalException {
        OffsetDateTime parameter = Times.parameter(until);
        engine.query(
                "SELECT flowstone.ensure_partitions(?)", query -> query.setObject(1, parameter), row -> row.getInt(1));
    }
}
