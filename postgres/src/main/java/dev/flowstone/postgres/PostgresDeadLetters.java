package dev.flowstone.postgres;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.effect.OutboxControl.Act;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
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

/** Dead letters for people, as the API's role, which sees one tenant in each transaction. */
final class PostgresDeadLetters implements DeadLetters {
    private final Database api;

    PostgresDeadLetters(Database api) {
        this.api = api;
    }

    private static final String CHOSEN = """
            FROM flowstone.dead_letters d
            WHERE d.tenant = ? AND d.id > ?
              AND (?::text IS NULL OR d.source = ?)
              AND (?::text IS NULL OR d.reason = ?)
              AND (?::text IS NULL OR d.state = ?)
              AND (?::uuid IS NULL OR d.run_id = ?)
              AND (?::bigint IS NULL OR d.id = ?)
              AND (?::timestamptz IS NULL OR d.failed_at < ?)
            ORDER BY d.id
            LIMIT ?
            """;

    private static final String LIST = "SELECT " + DeadLetterRows.COLUMNS + "\n" + CHOSEN;

    @Override
    public List<DeadLetter> list(TenantId tenant, Filter filter, long after, int limit) throws JournalException {
        return api.searchAsTenant(
                tenant, LIST, query -> chosen(query, tenant, filter, after, limit), DeadLetterRows::letter);
    }

    private static int chosen(PreparedStatement query, TenantId tenant, Filter filter, long after, int limit)
            throws SQLException {
        @Nullable UUID run = filter.run().map(RunId::value).orElse(null);
        @Nullable Long id = filter.id().isPresent() ? filter.id().getAsLong() : null;
        @Nullable
        OffsetDateTime failed = filter.failedBefore().map(Times::parameter).orElse(null);
        int bound = 0;
        query.setString(++bound, tenant.value());
        query.setLong(++bound, after);
        for (Optional<String> text : List.of(
                filter.source().map(source -> source.name()),
                filter.reason().map(Enum::name),
                filter.state().map(state -> state.name().toLowerCase(Locale.ROOT)))) {
            query.setString(++bound, text.orElse(null));
            query.setString(++bound, text.orElse(null));
        }
        query.setObject(++bound, run);
        query.setObject(++bound, run);
        query.setObject(++bound, id);
        query.setObject(++bound, id);
        query.setObject(++bound, failed);
        query.setObject(++bound, failed);
        query.setInt(++bound, limit);
        return bound;
    }

    @Override
    public Optional<DeadLetter> find(TenantId tenant, long id) throws JournalException {
        return list(tenant, Filter.of(id), 0, 1).stream().findFirst();
    }

    private static final String DEEDS = """
            SELECT deed, done_at, actor, comment
            FROM flowstone.dead_letter_deeds
            WHERE tenant = ? AND id = ?
            ORDER BY done_at DESC, deed
            LIMIT ?
            """;

    @Override
    public List<Done> deeds(TenantId tenant, long id, int limit) throws JournalException {
        return api.queryAsTenant(
                tenant,
                DEEDS,
                query -> {
                    query.setString(1, tenant.value());
                    query.setLong(2, id);
                    query.setInt(3, limit);
                },
                PostgresDeadLetters::done);
    }

    private static Done done(ResultSet row) throws SQLException {
        return new Done(
                Act.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                Times.instant(row, 2),
                new Deed(Actor.parse(row.getString(3)), row.getString(4)));
    }

    private static final String LOCKED = """
            WITH locked AS (
                SELECT d.tenant, d.id
            """ + CHOSEN + """
                FOR UPDATE
            ), chosen AS (
                SELECT l.*, row_number() OVER (ORDER BY l.id) - 1 AS place
                FROM locked l
            ), touched AS (
            """;

    private static final String TOLD = """
            ), told AS (
                INSERT INTO flowstone.dead_letter_deeds (tenant, id, done_at, deed, source, key, actor, comment)
                SELECT t.tenant, t.id, clock_timestamp(), ?, t.source, t.key, ?, ?
                FROM touched t
            )
            SELECT count(*) FROM touched
            """;

    private static final String REQUEUE = LOCKED + """
                UPDATE flowstone.dead_letters d
                SET state = 'waiting', retries = 0, due_at = clock_timestamp() + c.place * ? * interval '1 microsecond'
                FROM chosen c
                WHERE d.tenant = c.tenant AND d.id = c.id
                RETURNING d.tenant, d.id, d.source, d.key
            """ + TOLD;

    private static final String PURGE = LOCKED + """
                DELETE FROM flowstone.dead_letters d
                USING chosen c
                WHERE d.tenant = c.tenant AND d.id = c.id
                RETURNING d.tenant, d.id, d.source, d.key
            """ + TOLD;

    @Override
    public int requeue(TenantId tenant, Filter filter, int limit, Duration apart, Deed deed) throws JournalException {
        return api.searchAsTenant(
                        tenant,
                        REQUEUE,
                        query -> {
                            int bound = chosen(query, tenant, filter, 0, limit);
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
                        query -> told(query, chosen(query, tenant, filter, 0, limit), Act.PURGE, deed),
                        row -> row.getInt(1))
                .getFirst();
    }

    private static void told(PreparedStatement query, int before, Act act, Deed deed) throws SQLException {
        query.setString(before + 1, act.name().toLowerCase(Locale.ROOT));
        query.setString(before + 2, deed.actor().toString());
        query.setString(before + 3, PostgresOutbox.storable(deed.reason()));
    }
}
