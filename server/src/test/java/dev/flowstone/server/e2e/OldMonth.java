package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Makes a database look as if it had been installed long ago, with runs that were born then. By the superuser. */
public final class OldMonth {
    public static final YearMonth MONTH = YearMonth.of(2026, 3);

    private final Connection superuser;
    private int made;

    private OldMonth(Connection superuser) {
        this.superuser = superuser;
    }

    /** In a database that has no run from before its installation. */
    public static OldMonth in(Connection superuser) throws SQLException {
        OldMonth old = new OldMonth(superuser);
        old.execute("SET ROLE flowstone_owner");
        old.execute("DROP TABLE flowstone.entries_before");
        old.execute("SELECT flowstone.add_partition('entries_before', NULL, flowstone.first_run_id('" + first(MONTH)
                + "'))");
        for (YearMonth month = MONTH; month.isBefore(YearMonth.now(ZoneOffset.UTC)); month = month.plusMonths(1)) {
            old.execute("SELECT flowstone.add_partition('entries_"
                    + month.toString().replace('-', '_')
                    + "', flowstone.first_run_id('" + first(month) + "'), flowstone.first_run_id('"
                    + first(month.plusMonths(1)) + "'))");
        }
        old.execute("RESET ROLE");
        return old;
    }

    private static Instant first(YearMonth month) {
        return month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = superuser.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The same run once more, born and over then: its events in a chain of its own. */
    public RunId copy(RunId run) throws SQLException, CorruptEntryException {
        made++;
        RunId copy = RunId.of(first(MONTH).plusSeconds(86_400L * made), run.slot(), made);
        Sha256 end = entries(run, copy);
        try (PreparedStatement insert = superuser.prepareStatement("""
                INSERT INTO flowstone.runs (tenant, run_id, slot, version, started_at, workflow, program, correlation, last_seq,
                                            last_hash, updated_at, ended_at, awake, status)
                SELECT tenant, ?, slot, version, ?, workflow, program, correlation, last_seq, ?, ?, ?, awake, status
                FROM flowstone.runs WHERE run_id = ?
                """)) {
            insert.setObject(1, copy.value());
            insert.setObject(2, copy.birth().atOffset(ZoneOffset.UTC));
            insert.setBytes(3, end.bytes());
            insert.setObject(4, copy.birth().atOffset(ZoneOffset.UTC));
            insert.setObject(5, copy.birth().atOffset(ZoneOffset.UTC));
            insert.setObject(6, run.value());
            assertEquals(1, insert.executeUpdate());
        }
        feed(copy);
        return copy;
    }

    /** The feed knows it, as of every run that moved: tenant, id, first event's number, how many more. */
    private void feed(RunId run) throws SQLException {
        try (PreparedStatement insert = superuser.prepareStatement("""
                INSERT INTO flowstone.feed (stream, number, committed_at, moved, counted)
                SELECT s.stream,
                       (SELECT coalesce(max(f.number), 0) + 1 FROM flowstone.feed f WHERE f.stream = s.stream),
                       now(),
                       set_byte('\\x00', 0, length(r.tenant)) || convert_to(r.tenant, 'UTF8') || uuid_send(r.run_id)
                           || '\\x01' || set_byte('\\x00', 0, r.last_seq::integer - 1),
                       NULL
                FROM flowstone.runs r
                JOIN flowstone.shards s ON r.slot BETWEEN s.first_slot AND s.last_slot
                WHERE r.run_id = ?
                """)) {
            insert.setObject(1, run.value());
            assertEquals(1, insert.executeUpdate());
        }
    }

    private Sha256 entries(RunId run, RunId copy) throws SQLException, CorruptEntryException {
        Sha256 read = Sha256.ZERO;
        Sha256 written = Sha256.ZERO;
        long next = 1;
        for (byte[] bytes : stored(run)) {
            List<Event> events = JournalEntry.decode(bytes, next, read);
            next += events.size();
            read = events.getLast().hash();
            JournalEntry entry = JournalEntry.encode(
                    named(events.getFirst().header(), copy),
                    events.stream().map(Event::body).toList(),
                    written);
            written = entry.hash();
            insert(events.getFirst().header().tenant().value(), copy.value(), entry);
        }
        return written;
    }

    private List<byte[]> stored(RunId run) throws SQLException {
        List<byte[]> stored = new ArrayList<>();
        try (PreparedStatement query =
                superuser.prepareStatement("SELECT bytes FROM flowstone.entries WHERE run_id = ? ORDER BY first_seq")) {
            query.setObject(1, run.value());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    stored.add(rows.getBytes(1));
                }
            }
        }
        return stored;
    }

    private void insert(String tenant, UUID run, JournalEntry entry) throws SQLException {
        try (PreparedStatement insert =
                superuser.prepareStatement("INSERT INTO flowstone.entries VALUES (?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, tenant);
            insert.setObject(2, run);
            insert.setLong(3, entry.firstSequence());
            insert.setLong(4, entry.lastSequence());
            insert.setBytes(5, entry.bytes());
            insert.setBytes(6, entry.hash().bytes());
            insert.executeUpdate();
        }
    }

    private static EventHeader named(EventHeader header, RunId run) {
        return new EventHeader(
                header.schemaVersion(),
                header.tenant(),
                header.workflow(),
                header.typeVersion(),
                run,
                header.firstSequence(),
                header.eventTime(),
                header.effectiveTime(),
                header.actor(),
                header.authorization(),
                header.idempotencyKey(),
                header.causation(),
                header.correlation());
    }
}
