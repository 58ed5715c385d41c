package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

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
