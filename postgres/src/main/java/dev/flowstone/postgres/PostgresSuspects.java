package dev.flowstone.postgres;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.stuck.Place;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.state.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks for runs that stand still, as the engine's role, which sees timers and letters: every statement names its tenant. Each
 * begins where the page before it ended and ends after so many rows of its index, of which those that are no suspects are passed
 * over by looking up two keys.
 *
 * <pre>
 *  runs_by_status (tenant, status, run)        runs that sleep and have neither a timer nor a human task
 *  runs_awake (tenant, run) WHERE awake        runs that should move
 *  timers_due (due, tenant, run, timer)        timers that should have fired
 *  inbox_waiting (received, …) WHERE NOT …     messages that nobody took
 *  letters' key (slot, tenant, …)              letters under way, which are few
 * </pre>
 */
final class PostgresSuspects implements Suspects {
    private static final UUID BEFORE_RUNS =
            new UUID(RunLists.FIRST_RUN.getMostSignificantBits() - 1, -1L);

    private final Database database;

    /** @param database of the engine's role; not one that anybody waits for who commits */
    PostgresSuspects(Database database) {
        this.database = database;
    }

    private static final String NEXT_TENANT = """
            SELECT tenant FROM flowstone.runs WHERE tenant > ? ORDER BY tenant, run_id LIMIT 1
            """;

    @Override
    public Optional<TenantId> tenantAfter(String tenant) throws JournalException {
        return database
                .query(NEXT_TENANT, query -> query.setString(1, tenant), row -> new TenantId(row.getString(1)))
                .stream()
                .findFirst();
    }

    @Override
    public Looked look(TenantId tenant, Place place, Instant before, int most) throws JournalException {
        return switch (place.scan()) {
            case RUNNING, FAILING, COMPENSATING, CANCELING ->
                quiet(tenant, place.scan().quiet().orElseThrow(), place.after(), before, most);
            case AWAKE -> awake(tenant, place.after(), before, most);
            case TIMERS -> timers(tenant, place.after(), before, most);
            case MESSAGES -> messages(tenant, place.after(), before, most);
            case LETTERS -> letters(tenant, place.after(), before, most);
        };
    }

    /** A row, what it is called, and whether it is a suspect. */
    private record Seen(Suspect row, String key, boolean suspicious) {}

    /** Of rows that wait by themselves: a full page may not be all. */
    private static Looked waiting(List<Seen> seen, int most) {
        return new Looked(
                seen.stream().filter(Seen::suspicious).map(Seen::row).toList(),
                seen.size() < most ? Optional.empty() : Optional.of(seen.getLast().key()));
    }

    /** Of runs: the suspects, and behind them the last run that was looked at if there may be more. */
    private static Looked runs(List<Seen> seen, int most) {
        List<Seen> suspects = seen.stream().filter(Seen::suspicious).toList();
        Optional<String> next = suspects.size() >= most
                ? Optional.of(suspects.getLast().key())
                : seen.stream().filter(it -> !it.suspicious()).findFirst().map(Seen::key);
        return new Looked(suspects.stream().map(Seen::row).toList(), next);
    }

    private static final String FOUND = """
            SELECT run_id, workflow, status, last_seq, updated_at, true FROM found
            UNION ALL
            SELECT run_id, workflow, status, last_seq, updated_at, false
            FROM (SELECT * FROM looked ORDER BY run_id DESC LIMIT 1) AS last
            WHERE (SELECT count(*) FROM looked) = ?
            """;

    /** The lateral joins are probes of a key, whatever the planner believes: it can't hash what ends at one row. */
    private static final String QUIET = """
            WITH looked AS MATERIALIZED (
                SELECT run_id, workflow, status, last_seq, updated_at, awake
                FROM flowstone.runs
                WHERE tenant = ? AND status = ? AND run_id > ?
                ORDER BY tenant, status, run_id
                LIMIT ?
            ), found AS (
                SELECT l.*
                FROM looked l
                LEFT JOIN LATERAL (
                    SELECT 1 AS one FROM flowstone.timers t WHERE t.tenant = ? AND t.run_id = l.run_id LIMIT 1
                ) t ON true
                LEFT JOIN LATERAL (
                    SELECT 1 AS one FROM flowstone.human_tasks h WHERE h.tenant = ? AND h.run_id = l.run_id LIMIT 1
                ) h ON true
                WHERE NOT l.awake AND l.updated_at < ? AND t.one IS NULL AND h.one IS NULL
                ORDER BY l.run_id
                LIMIT ?
            )
            """ + FOUND;

    private Looked quiet(TenantId tenant, RunStatus status, String after, Instant before, int most)
            throws JournalException {
        UUID from = run(after);
        return runs(
                database.query(
                        QUIET,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setString(2, status.name());
                            query.setObject(3, from);
                            query.setInt(4, ROWS);
                            query.setString(5, tenant.value());
                            query.setString(6, tenant.value());
                            query.setObject(7, Times.parameter(before));
                            query.setInt(8, most);
                            query.setInt(9, ROWS);
                        },
                        row -> seenRun(tenant, row)),
                most);
    }

    private static final String AWAKE = """
            WITH looked AS MATERIALIZED (
                SELECT run_id, workflow, status, last_seq, updated_at
                FROM flowstone.runs
                WHERE awake AND tenant = ? AND run_id > ?
                ORDER BY tenant, run_id
                LIMIT ?
            ), found AS (
                SELECT * FROM looked WHERE updated_at < ? ORDER BY run_id LIMIT ?
            )
            """ + FOUND;

    private Looked awake(TenantId tenant, String after, Instant before, int most) throws JournalException {
        UUID from = run(after);
        return runs(
                database.query(
                        AWAKE,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setObject(2, from);
                            query.setInt(3, ROWS);
                            query.setObject(4, Times.parameter(before));
                            query.setInt(5, most);
                            query.setInt(6, ROWS);
                        },
                        row -> seenRun(tenant, row)),
                most);
    }

    private static Seen seenRun(TenantId tenant, ResultSet row) throws SQLException {
        UUID run = row.getObject(1, UUID.class);
        Instant moved = Times.instant(row, 5);
        return new Seen(suspect(tenant, row, run, moved, ""), run.toString(), row.getBoolean(6));
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
    private Looked timers(TenantId tenant, String after, Instant before, int most) throws JournalException {
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
                            query.setObject(7, BEFORE_RUNS);
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

    private Looked messages(TenantId tenant, String after, Instant before, int most) throws JournalException {
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
                            query.setObject(7, BEFORE_RUNS);
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
        Suspect suspect = suspect(tenant, row, run, since, what);
        return new Seen(suspect, new Spot(since, run, rest).toString(), true);
    }

    private static Suspect suspect(TenantId tenant, ResultSet row, UUID run, Instant since, String what)
            throws SQLException {
        return new Suspect(
                new RunKey(tenant, new RunId(run)),
                Optional.ofNullable(row.getString(2)).map(WorkflowId::new),
                Optional.ofNullable(row.getString(3)).map(RunStatus::valueOf),
                row.getLong(4),
                since,
                what);
    }

    /** The receiver's row is looked up for its name only; of letters to channels there is none to show. */
    private static final String LETTERS = """
            SELECT x.run_id, r.workflow, r.status, r.last_seq, x.content, x.receiver, x.slot, x.number
            FROM (SELECT tenant, sender AS run_id, slot, number, receiver, content FROM flowstone.letters
                  WHERE tenant = ? AND (slot, tenant, sender, number, receiver) > (?, ?, ?, ?, ?)
                  ORDER BY slot, tenant, sender, number, receiver
                  LIMIT ?) x
            """ + HEAD + "ORDER BY x.slot, x.run_id, x.number, x.receiver";

    private Looked letters(TenantId tenant, String after, Instant before, int most) throws JournalException {
        List<String> at = new ArrayList<>(after.isEmpty() ? List.of() : List.of(after.split(" ", -1)));
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
                            query.setString(1, tenant.value());
                            query.setInt(2, slot);
                            query.setString(3, tenant.value());
                            query.setObject(4, sender);
                            query.setLong(5, number);
                            query.setObject(6, receiver);
                            query.setInt(7, most);
                        },
                        row -> letter(tenant, row, before)),
                most);
    }

    private static Seen letter(TenantId tenant, ResultSet row, Instant before) throws SQLException {
        UUID sender = row.getObject(1, UUID.class);
        UUID receiver = row.getObject(6, UUID.class);
        // One of an earlier release doesn't say when it was sent, and is old.
        Instant sent = Instant.EPOCH;
        if (Json.read(row.getBytes(5)).get(LetterMessage.SENT_AT) instanceof JsonString(String text)) {
            sent = Instant.parse(text);
        }
        String key = row.getInt(7) + " " + sender + " " + row.getLong(8) + " " + receiver;
        return new Seen(suspect(tenant, row, sender, sent, receiver.toString()), key, sent.isBefore(before));
    }

    private static UUID run(String after) {
        return after.isEmpty() ? BEFORE_RUNS : UUID.fromString(after);
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
