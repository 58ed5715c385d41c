package dev.flowstone.postgres;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.engine.stuck.Suspects.Looked;
import dev.flowstone.engine.stuck.Suspects.Suspect;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonString;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What waits in tables of its own and may have waited for too long: timers, messages, letters; the oldest first where there may
 * be many. Their indexes begin with the time or the slot, so that a look passes by other tenants' rows, up to so many: the
 * place at which it ends is then the tenant's own next place behind them, and tells nothing of others.
 */
final class WaitingRows {
    private static final UUID LOWEST = new UUID(0, 0);

    private final Database database;

    WaitingRows(Database database) {
        this.database = database;
    }

    /**
     * A row of the tenant's, or the end of what was looked at.
     *
     * @param suspect empty if it is none
     */
    private record Passed(Optional<Suspect> suspect, String key, boolean ends) {}

    /** A full page may not be all, nor is what was looked at if there was more. */
    private static Looked looked(List<Passed> passed, int most) {
        List<Passed> rows = passed.stream().filter(row -> !row.ends()).toList();
        return new Looked(
                rows.stream().flatMap(row -> row.suspect().stream()).toList(),
                rows.size() >= most
                        ? Optional.of(rows.getLast().key())
                        : passed.stream().filter(Passed::ends).findFirst().map(Passed::key));
    }

    /** What all the statements have in the same places. */
    private static void bind(PreparedStatement query, TenantId tenant, int most) throws SQLException {
        query.setString(1, tenant.value());
        query.setString(2, tenant.value());
        query.setInt(8, Suspects.ROWS);
        query.setObject(9, PostgresSuspects.BEFORE_RUNS);
        query.setInt(10, most);
        query.setInt(11, Suspects.ROWS);
    }

    private static final String HEAD = """
            LEFT JOIN LATERAL (
                SELECT workflow, status, last_seq FROM flowstone.runs r
                WHERE r.tenant = x.tenant AND r.run_id = x.run_id LIMIT 1) r ON true
            UNION ALL
            """;

    private static final String TIMERS = """
            WITH looked AS MATERIALIZED (
                SELECT tenant, tenant = ? AS mine, tenant > ? AS beyond, run_id, due_at, timer_id
                FROM flowstone.timers
                WHERE due_at < ? AND (due_at, tenant, run_id, timer_id) > (?, ?, ?, ?)
                ORDER BY due_at, tenant, run_id, timer_id
                LIMIT ?
            ), found AS (
                SELECT * FROM looked
                WHERE mine AND run_id > ? AND timer_id <> 'hold'
                ORDER BY due_at, run_id, timer_id
                LIMIT ?
            )
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.due_at, x.timer_id, false AS ends
            FROM found x
            """ + HEAD + """
            SELECT CASE WHEN mine THEN run_id END, NULL, NULL, 0,
                   CASE WHEN beyond THEN due_at + interval '1 microsecond' ELSE due_at END,
                   CASE WHEN mine THEN timer_id END, true
            FROM (SELECT * FROM looked ORDER BY due_at DESC, tenant DESC, run_id DESC, timer_id DESC LIMIT 1) AS last
            WHERE (SELECT count(*) FROM looked) = ?
            ORDER BY ends, due_at, run_id, timer_id
            """;

    /** An instant, a run and the rest, which may hold anything. */
    Looked timers(TenantId tenant, String after, Instant before, int most) throws JournalException {
        Spot spot = Spot.parse(after);
        return looked(
                database.query(
                        TIMERS,
                        query -> {
                            bind(query, tenant, most);
                            query.setObject(3, Times.parameter(before));
                            query.setObject(4, Times.parameter(spot.time()));
                            query.setString(5, spot.begins() ? "" : tenant.value());
                            query.setObject(6, spot.run());
                            query.setString(7, spot.rest());
                        },
                        row -> {
                            String timer = row.getString(6);
                            return timer == null
                                    ? behindOthers(row)
                                    : thing(tenant, row, timer, timer, row.getBoolean(7));
                        }),
                most);
    }

    private static final String MESSAGES = """
            WITH looked AS MATERIALIZED (
                SELECT tenant, tenant = ? AS mine, tenant > ? AS beyond, run_id, received_at, source, key
                FROM flowstone.inbox
                WHERE NOT consumed AND received_at < ? AND (received_at, tenant, source, key) > (?, ?, ?, ?)
                ORDER BY received_at, tenant, source, key
                LIMIT ?
            ), found AS (
                SELECT * FROM looked WHERE mine AND run_id > ? ORDER BY received_at, source, key LIMIT ?
            )
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.received_at, x.source, x.key, false AS ends
            FROM found x
            """ + HEAD + """
            SELECT CASE WHEN mine THEN run_id END, NULL, NULL, 0,
                   CASE WHEN beyond THEN received_at + interval '1 microsecond' ELSE received_at END,
                   CASE WHEN mine THEN source END, CASE WHEN mine THEN key END, true
            FROM (SELECT * FROM looked ORDER BY received_at DESC, tenant DESC, source DESC, key DESC LIMIT 1) AS last
            WHERE (SELECT count(*) FROM looked) = ?
            ORDER BY ends, received_at, source, key
            """;

    Looked messages(TenantId tenant, String after, Instant before, int most) throws JournalException {
        Spot spot = Spot.parse(after);
        // A source has no line break, and a key may have one.
        int cut = spot.rest().indexOf('\n');
        String source = cut < 0 ? "" : spot.rest().substring(0, cut);
        String key = cut < 0 ? "" : spot.rest().substring(cut + 1);
        return looked(
                database.query(
                        MESSAGES,
                        query -> {
                            bind(query, tenant, most);
                            query.setObject(3, Times.parameter(before));
                            query.setObject(4, Times.parameter(spot.time()));
                            query.setString(5, spot.begins() ? "" : tenant.value());
                            query.setString(6, source);
                            query.setString(7, key);
                        },
                        row -> {
                            String from = row.getString(6);
                            return from == null
                                    ? behindOthers(row)
                                    : thing(
                                            tenant,
                                            row,
                                            from + "/" + row.getString(7),
                                            from + "\n" + row.getString(7),
                                            row.getBoolean(8));
                        }),
                most);
    }

    private static Passed thing(TenantId tenant, ResultSet row, String what, String rest, boolean ends)
            throws SQLException {
        UUID run = row.getObject(1, UUID.class);
        Instant since = Times.instant(row, 5);
        Optional<Suspect> suspect =
                ends ? Optional.empty() : Optional.of(PostgresSuspects.suspect(tenant, row, run, since, what));
        return new Passed(suspect, new Spot(since, run, rest).toString(), ends);
    }

    /** Where another tenant's rows were the last: in front of all of this one's at that time. */
    private static Passed behindOthers(ResultSet row) throws SQLException {
        return new Passed(Optional.empty(), new Spot(Times.instant(row, 5), LOWEST, "").toString(), true);
    }

    /** Whoever hasn't taken it is the one to look at, unless that is a channel, which is no run. */
    private static final String LETTERS = """
            WITH looked AS MATERIALIZED (
                SELECT tenant, tenant = ? AS mine, tenant > ? AS beyond, slot, sender, number, receiver, content
                FROM flowstone.letters
                WHERE (slot, tenant, sender, number, receiver) > (?, ?, ?, ?, ?)
                ORDER BY slot, tenant, sender, number, receiver
                LIMIT ?
            ), found AS (
                SELECT tenant, CASE WHEN receiver > ? THEN receiver ELSE sender END AS run_id, slot, sender, number,
                       receiver, content
                FROM looked
                WHERE mine
                ORDER BY slot, sender, number, receiver
                LIMIT ?
            )
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.content, x.receiver, x.slot, x.number, x.sender,
                   false AS ends
            FROM found x
            """ + HEAD + """
            SELECT NULL, NULL, NULL, 0, NULL, CASE WHEN mine THEN receiver END,
                   CASE WHEN beyond THEN slot + 1 ELSE slot END, CASE WHEN mine THEN number ELSE 0 END,
                   CASE WHEN mine THEN sender END, true
            FROM (SELECT * FROM looked
                  ORDER BY slot DESC, tenant DESC, sender DESC, number DESC, receiver DESC LIMIT 1) AS last
            WHERE (SELECT count(*) FROM looked) = ?
            ORDER BY ends, slot, sender, number, receiver
            """;

    Looked letters(TenantId tenant, String after, Instant before, int most) throws JournalException {
        List<String> at = after.isEmpty() ? List.of() : List.of(after.split(" ", -1));
        if (!at.isEmpty() && at.size() != 4) {
            throw new IllegalArgumentException("no letter is called " + after);
        }
        int slot = at.isEmpty() ? -1 : Integer.parseInt(at.get(0));
        UUID sender = at.isEmpty() ? LOWEST : UUID.fromString(at.get(1));
        long number = at.isEmpty() ? 0 : Long.parseLong(at.get(2));
        UUID receiver = at.isEmpty() ? LOWEST : UUID.fromString(at.get(3));
        return looked(
                database.query(
                        LETTERS,
                        query -> {
                            bind(query, tenant, most);
                            query.setInt(3, slot);
                            query.setString(4, tenant.value());
                            query.setObject(5, sender);
                            query.setLong(6, number);
                            query.setObject(7, receiver);
                        },
                        row -> letter(tenant, row, before)),
                most);
    }

    private static Passed letter(TenantId tenant, ResultSet row, Instant before) throws SQLException {
        UUID receiver = row.getObject(6, UUID.class);
        UUID sender = row.getObject(9, UUID.class);
        String key = row.getInt(7) + " " + (sender == null ? LOWEST : sender) + " " + row.getLong(8) + " "
                + (receiver == null ? LOWEST : receiver);
        if (row.getBoolean(10)) {
            return new Passed(Optional.empty(), key, true);
        }
        Instant sent = sent(row.getBytes(5));
        if (!sent.isBefore(before)) {
            return new Passed(Optional.empty(), key, false);
        }
        UUID run = row.getObject(1, UUID.class);
        String what = "from " + sender + " to " + receiver;
        return new Passed(Optional.of(PostgresSuspects.suspect(tenant, row, run, sent, what)), key, false);
    }

    /** One of an earlier release doesn't say when it was sent, and is old; so is one that can't be read, and stays. */
    private static Instant sent(byte[] content) {
        try {
            return Json.read(content).get(LetterMessage.SENT_AT) instanceof JsonString(String text)
                    ? Instant.parse(text)
                    : Instant.EPOCH;
        } catch (DateTimeParseException | IllegalStateException | ClassCastException e) {
            return Instant.EPOCH;
        }
    }

    /** A row by its time, its run and what it is called. */
    private record Spot(Instant time, UUID run, String rest) {
        static Spot parse(String text) {
            if (text.isEmpty()) {
                return new Spot(Times.EARLIEST, LOWEST, "");
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
