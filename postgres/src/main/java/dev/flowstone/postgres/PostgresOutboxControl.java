package dev.flowstone.postgres;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outbox for people, as the API's role, which sees one tenant in each transaction and may touch dead letters only. */
final class PostgresOutboxControl implements OutboxControl {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Database api;

    PostgresOutboxControl(Database api) {
        this.api = api;
    }

    private static final String ENTRY = """
            SELECT run_id, cause_seq, ordinal, destination, state, tried_before + attempts, due_at, death, error, failed_at
            """;

    private static final String CHOSEN = """
            FROM flowstone.outbox
            WHERE tenant = ?
              AND (run_id, cause_seq, ordinal) > (?, ?, ?)
              AND (?::text IS NULL OR destination = ?)
              AND (?::text IS NULL OR coalesce(death, 'EXHAUSTED') = ?)
              AND (?::uuid IS NULL OR run_id = ?)
              AND (?::bigint IS NULL OR cause_seq = ?)
              AND (?::integer IS NULL OR ordinal = ?)
              AND (?::timestamptz IS NULL OR coalesce(failed_at, due_at) < ?)
            """;

    private static final String ORDERED = """
            ORDER BY run_id, cause_seq, ordinal
            LIMIT ?
            """;

    private static final String DEAD = "  AND state = 'dead'\n";
    private static final String ALL = ENTRY + CHOSEN + ORDERED;
    private static final String PENDING = ENTRY + CHOSEN + "  AND state = 'pending'\n" + ORDERED;
    private static final String DEAD_ONES = ENTRY + CHOSEN + DEAD + ORDERED;

    @Override
    public List<Entry> list(TenantId tenant, Filter filter, Optional<OutboxKey> after, int limit)
            throws JournalException {
        if (filter.state().equals(Optional.of(State.GONE))) {
            return List.of();
        }
        String statement = filter.state()
                .map(state -> state == State.DEAD ? DEAD_ONES : PENDING)
                .orElse(filter.reason().isPresent() ? DEAD_ONES : ALL);
        return api.searchAsTenant(
                tenant,
                statement,
                query -> query.setInt(chosen(query, 0, tenant, filter, after) + 1, limit),
                row -> entry(tenant, row));
    }

    private static int chosen(
            PreparedStatement query, int before, TenantId tenant, Filter filter, Optional<OutboxKey> after)
            throws SQLException {
        @Nullable UUID run = filter.run().map(RunId::value).orElse(null);
        @Nullable Long cause = filter.key().map(OutboxKey::causeSequence).orElse(null);
        @Nullable Integer ordinal = filter.key().map(OutboxKey::ordinal).orElse(null);
        @Nullable
        OffsetDateTime failed = filter.failedBefore().map(Times::parameter).orElse(null);
        int bound = before;
        query.setString(++bound, tenant.value());
        query.setObject(++bound, after.map(key -> key.run().run().value()).orElse(BEFORE_ALL));
        query.setLong(++bound, after.map(OutboxKey::causeSequence).orElse(0L));
        query.setInt(++bound, after.map(OutboxKey::ordinal).orElse(0));
        for (Optional<String> text :
                List.of(filter.destination(), filter.reason().map(Enum::name))) {
            query.setString(++bound, text.orElse(null));
            query.setString(++bound, text.orElse(null));
        }
        query.setObject(++bound, run);
        query.setObject(++bound, run);
        query.setObject(++bound, cause);
        query.setObject(++bound, cause);
        query.setObject(++bound, ordinal);
        query.setObject(++bound, ordinal);
        query.setObject(++bound, failed);
        query.setObject(++bound, failed);
        return bound;
    }

    private static Entry entry(TenantId tenant, ResultSet row) throws SQLException {
        boolean dead = row.getString(5).equals("dead");
        // A node of the release before V21 doesn't say why: it gives up only what it has tried often enough, or knows
        // to be lost.
        Outbox.DeathReason reason =
                text(row, 8).map(Outbox.DeathReason::valueOf).orElse(Outbox.DeathReason.EXHAUSTED);
        return new Entry(
                new OutboxKey(
                        new RunKey(tenant, new RunId(row.getObject(1, UUID.class))), row.getLong(2), row.getInt(3)),
                row.getString(4),
                dead ? State.DEAD : State.PENDING,
                row.getInt(6),
                Times.instant(row, 7),
                dead ? Optional.of(reason) : Optional.empty(),
                text(row, 9),
                Times.optional(row, 10));
    }

    private static Optional<String> text(ResultSet row, int column) throws SQLException {
        @Nullable String value = row.getString(column);
        return Optional.ofNullable(value).filter(it -> !it.isEmpty());
    }

    private static final String OF_ONE = "WHERE tenant = ? AND run_id = ? AND cause_seq = ? AND ordinal = ?\n";

    private static final String ONE = """
            SELECT run_id, cause_seq, ordinal, destination, state, tried_before + attempts, due_at, death, error, failed_at, content
            FROM flowstone.outbox
            """ + OF_ONE;

    private static final String ATTEMPTS = """
            SELECT attempt, destination, begun_at, took_ms, outcome, status, error
            FROM flowstone.outbox_attempts
            """ + OF_ONE + """
            ORDER BY attempt DESC
            LIMIT ?
            """;

    private static final String DEEDS = """
            SELECT deed, done_at, actor, reason
            FROM flowstone.outbox_deeds
            """ + OF_ONE + """
            ORDER BY done_at DESC, deed
            LIMIT ?
            """;

    private record Whole(Entry entry, JsonObject content) {}

    @Override
    public Optional<Story> story(OutboxKey key) throws JournalException {
        TenantId tenant = key.run().tenant();
        return api.asTenant(tenant, connection -> {
            Optional<Whole> whole = Database.query(
                            connection,
                            ONE,
                            query -> one(query, key),
                            row -> new Whole(entry(tenant, row), Json.read(row.getBytes(11))))
                    .stream()
                    .findFirst();
            List<Attempt> attempts = told(connection, ATTEMPTS, key, PostgresOutboxControl::attempt);
            List<Done> deeds = told(connection, DEEDS, key, PostgresOutboxControl::done);
            return whole.isEmpty() && attempts.isEmpty() && deeds.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Story(whole.map(Whole::entry), whole.map(Whole::content), attempts, deeds));
        });
    }

    private static <T> List<T> told(Connection connection, String sql, OutboxKey key, Database.RowReader<T> reader)
            throws SQLException {
        return Database.query(connection, sql, query -> query.setInt(one(query, key) + 1, Story.MOST_TOLD), reader);
    }

    private static int one(PreparedStatement query, OutboxKey key) throws SQLException {
        query.setString(1, key.run().tenant().value());
        query.setObject(2, key.run().run().value());
        query.setLong(3, key.causeSequence());
        query.setInt(4, key.ordinal());
        return 4;
    }

    private static Attempt attempt(ResultSet row) throws SQLException {
        int status = row.getInt(6);
        return new Attempt(
                row.getInt(1),
                row.getString(2),
                Times.instant(row, 3),
                Duration.ofMillis(row.getLong(4)),
                Outcome.valueOf(row.getString(5).toUpperCase(Locale.ROOT)),
                status == 0 ? Optional.empty() : Optional.of(status),
                text(row, 7));
    }

    private static Done done(ResultSet row) throws SQLException {
        return new Done(
                Act.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                Times.instant(row, 2),
                new Deed(Actor.parse(row.getString(3)), row.getString(4)));
    }

    private static final String LOCKED = """
            WITH locked AS (
                SELECT tenant, run_id, cause_seq, ordinal
            """ + CHOSEN + DEAD + ORDERED + """
                FOR UPDATE SKIP LOCKED
            ), chosen AS (
                SELECT l.*, row_number() OVER (ORDER BY l.run_id, l.cause_seq, l.ordinal) - 1 AS place
                FROM locked l
            ), touched AS (
            """;

    private static final String TOLD = """
            ), told AS (
                INSERT INTO flowstone.outbox_deeds
                    (tenant, run_id, cause_seq, ordinal, done_at, deed, destination, actor, reason)
                SELECT t.tenant, t.run_id, t.cause_seq, t.ordinal, clock_timestamp(), ?, t.destination, ?, ?
                FROM touched t
            )
            SELECT count(*) FROM touched
            """;

    private static final String REQUEUE = LOCKED + """
                UPDATE flowstone.outbox o
                SET state = 'pending', tried_before = o.tried_before + o.attempts, attempts = 0, death = NULL,
                    due_at = clock_timestamp() + c.place * ? * interval '1 microsecond'
                FROM chosen c
                WHERE o.tenant = c.tenant AND o.run_id = c.run_id AND o.cause_seq = c.cause_seq AND o.ordinal = c.ordinal
                  AND o.state = 'dead'
                RETURNING o.tenant, o.run_id, o.cause_seq, o.ordinal, o.destination
            """ + TOLD;

    private static final String PURGE = LOCKED + """
                DELETE FROM flowstone.outbox o
                USING chosen c
                WHERE o.tenant = c.tenant AND o.run_id = c.run_id AND o.cause_seq = c.cause_seq AND o.ordinal = c.ordinal
                  AND o.state = 'dead'
                RETURNING o.tenant, o.run_id, o.cause_seq, o.ordinal, o.destination
            """ + TOLD;

    @Override
    public int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed) throws JournalException {
        return api.searchAsTenant(
                        tenant,
                        REQUEUE,
                        query -> {
                            int bound = chosen(query, 0, tenant, filter, Optional.empty());
                            query.setInt(++bound, limit);
                            query.setLong(++bound, apart.toNanos() / 1_000);
                            told(query, bound, Act.REQUEUE, deed);
                        },
                        row -> row.getInt(1))
                .getFirst();
    }

    @Override
    public int purge(TenantId tenant, Filter filter, int limit, Deed deed) throws JournalException {
        return api.searchAsTenant(
                        tenant,
                        PURGE,
                        query -> {
                            int bound = chosen(query, 0, tenant, filter, Optional.empty());
                            query.setInt(++bound, limit);
                            told(query, bound, Act.PURGE, deed);
                        },
                        row -> row.getInt(1))
                .getFirst();
    }

    private static void told(PreparedStatement query, int before, Act act, Deed deed) throws SQLException {
        query.setString(before + 1, act.name().toLowerCase(Locale.ROOT));
        query.setString(before + 2, deed.actor().toString());
        query.setString(before + 3, deed.reason());
    }
}
