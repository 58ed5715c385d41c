package dev.flowstone.postgres;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.stuck.Suspects.Looked;
import dev.flowstone.engine.stuck.Suspects.Suspect;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.postgres.PostgresSuspects.Seen;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What waits in tables of its own and may have waited for too long: timers, messages, letters; the oldest first where there may be many. */
final class WaitingRows {
    private final Database database;

    WaitingRows(Database database) {
        this.database = database;
    }

    /** Of rows that wait by themselves: a full page may not be all. */
    private static Looked waiting(List<Seen> seen, int most) {
        return new Looked(
                seen.stream().filter(Seen::suspicious).map(Seen::row).toList(),
                seen.size() < most ? Optional.empty() : Optional.of(seen.getLast().key()));
    }

    private static final String HEAD = """
            LEFT JOIN LATERAL (
                SELECT workflow, status, last_seq FROM flowstone.runs r
                WHERE r.tenant = x.tenant AND r.run_id = x.run_id LIMIT 1) r ON true
            """;

    private static final String TIMERS = """
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.due_at, x.timer_id
            FROM (SELECT tenant, run_id, timer_id, due_at FROM flowstone.timers
                  WHERE due_at < ? AND (due_at, tenant, run_id, timer_id) > (?, ?, ?, ?) AND tenant = ? AND run_id > ?
                    AND timer_id <> 'hold'
                  ORDER BY due_at, tenant, run_id, timer_id
                  LIMIT ?) x
            """ + HEAD + "ORDER BY x.due_at, x.run_id, x.timer_id";

    /** An instant, a run and the rest, which may hold anything. */
    Looked timers(TenantId tenant, String after, Instant before, int most) throws JournalException {
        Spot spot = Spot.parse(after);
        return waiting(
                database.query(
                        TIMERS,
                        query -> {
                            query.setObject(1, Times.parameter(before));
                            query.setObject(2, Times.parameter(spot.time()));
                            query.setString(3, spot.begins() ? "" : tenant.value());
                            query.setObject(4, spot.run());
                            query.setString(5, spot.rest());
                            query.setString(6, tenant.value());
                            query.setObject(7, PostgresSuspects.BEFORE_RUNS);
                            query.setInt(8, most);
                        },
                        row -> seenThing(tenant, row, row.getString(6), row.getString(6))),
                most);
    }

    private static final String MESSAGES = """
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.received_at, x.source, x.key
            FROM (SELECT tenant, run_id, source, key, received_at FROM flowstone.inbox
                  WHERE NOT consumed AND received_at < ? AND (received_at, tenant, source, key) > (?, ?, ?, ?)
                    AND tenant = ? AND run_id > ?
                  ORDER BY received_at, tenant, source, key
                  LIMIT ?) x
            """ + HEAD + "ORDER BY x.received_at, x.source, x.key";

    Looked messages(TenantId tenant, String after, Instant before, int most) throws JournalException {
        Spot spot = Spot.parse(after);
        // A source has no line break, and a key may have one.
        int cut = spot.rest().indexOf('\n');
        String source = cut < 0 ? "" : spot.rest().substring(0, cut);
        String key = cut < 0 ? "" : spot.rest().substring(cut + 1);
        return waiting(
                database.query(
                        MESSAGES,
                        query -> {
                            query.setObject(1, Times.parameter(before));
                            query.setObject(2, Times.parameter(spot.time()));
                            query.setString(3, spot.begins() ? "" : tenant.value());
                            query.setString(4, source);
                            query.setString(5, key);
                            query.setString(6, tenant.value());
                            query.setObject(7, PostgresSuspects.BEFORE_RUNS);
                            query.setInt(8, most);
                        },
                        row -> seenThing(
                                tenant,
                                row,
                                row.getString(6) + "/" + row.getString(7),
                                row.getString(6) + "\n" + row.getString(7))),
                most);
    }

    private static Seen seenThing(TenantId tenant, ResultSet row, String what, String rest) throws SQLException {
        UUID run = row.getObject(1, UUID.class);
        Instant since = Times.instant(row, 5);
        Suspect suspect = PostgresSuspects.suspect(tenant, row, run, since, what);
        return new Seen(suspect, new Spot(since, run, rest).toString(), true);
    }

    /** Whoever hasn't taken it is the one to look at, unless that is a channel, which is no run. */
    private static final String LETTERS = """
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.content, x.receiver, x.slot, x.number, x.sender
            FROM (SELECT tenant, CASE WHEN receiver > ? THEN receiver ELSE sender END AS run_id, slot, sender, number,
                         receiver, content
                  FROM flowstone.letters
                  WHERE tenant = ? AND (slot, tenant, sender, number, receiver) > (?, ?, ?, ?, ?)
                  ORDER BY slot, tenant, sender, number, receiver
                  LIMIT ?) x
            """ + HEAD + "ORDER BY x.slot, x.sender, x.number, x.receiver";

    Looked letters(TenantId tenant, String after, Instant before, int most) throws JournalException {
        List<String> at = after.isEmpty() ? List.of() : List.of(after.split(" ", -1));
        if (!at.isEmpty() && at.size() != 4) {
            throw new IllegalArgumentException("no letter is called " + after);
        }
        int slot = at.isEmpty() ? -1 : Integer.parseInt(at.get(0));
        UUID sender = at.isEmpty() ? new UUID(0, 0) : UUID.fromString(at.get(1));
        long number = at.isEmpty() ? 0 : Long.parseLong(at.get(2));
        UUID receiver = at.isEmpty() ? new UUID(0, 0) : UUID.fromString(at.get(3));
        return waiting(
                database.query(
                        LETTERS,
                        query -> {
                            query.setObject(1, PostgresSuspects.BEFORE_RUNS);
                            query.setString(2, tenant.value());
                            query.setInt(3, slot);
                            query.setString(4, tenant.value());
                            query.setObject(5, sender);
                            query.setLong(6, number);
                            query.setObject(7, receiver);
                            query.setInt(8, most);
                        },
                        row -> letter(tenant, row, before)),
                most);
    }

    private static Seen letter(TenantId tenant, ResultSet row, Instant before) throws SQLException {
        UUID run = row.getObject(1, UUID.class);
        UUID receiver = row.getObject(6, UUID.class);
        UUID sender = row.getObject(9, UUID.class);
        // One of an earlier release doesn't say when it was sent, and is old.
        Instant sent = Instant.EPOCH;
        if (Json.read(row.getBytes(5)).get(LetterMessage.SENT_AT) instanceof JsonString(String text)) {
            sent = Instant.parse(text);
        }
        String key = row.getInt(7) + " " + sender + " " + row.getLong(8) + " " + receiver;
        String what = "from " + sender + " to " + receiver;
        return new Seen(PostgresSuspects.suspect(tenant, row, run, sent, what), key, sent.isBefore(before));
    }

    /** A row by its time, its run and what it is called. */
    private record Spot(Instant time, UUID run, String rest) {
        static Spot parse(String text) {
            if (text.isEmpty()) {
                return new Spot(Times.EARLIEST, new UUID(0, 0), "");
            }
            String[] parts = text.split(" ", 3);
            if (parts.length != 3) {
                throw new IllegalArgumentException("no row is called " + text);
            }
            try {
                return new Spot(Instant.parse(parts[0]), UUID.fromString(parts[1]), parts[2]);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException("no row is called " + text, e);
            }
        }

        boolean begins() {
            return time.equals(Times.EARLIEST);
        }

        @Override
        public String toString() {
            return time + " " + run + " " + rest;
        }
    }
}
