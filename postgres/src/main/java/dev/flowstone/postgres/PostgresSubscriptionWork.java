package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Subscriptions as the owners of streams' shards see them: as the engine's role, of all tenants. */
final class PostgresSubscriptionWork implements SubscriptionWork {
    private static final System.Logger LOG = System.getLogger(PostgresSubscriptionWork.class.getName());

    private final Database engine;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    PostgresSubscriptionWork(Database engine) {
        this.engine = engine;
    }

    private static final String ASSIGNED = "SELECT " + SubscriptionRows.COLUMNS + ", " + SubscriptionRows.CURSOR + """

            FROM flowstone.subscriptions s
            JOIN flowstone.subscription_cursors c ON c.tenant = s.tenant AND c.name = s.name
            WHERE s.state = 'active' AND c.stream = ANY (?::integer[])
            ORDER BY s.tenant, s.name, c.stream
            """;

    @Override
    public List<Assigned> assigned(Collection<Integer> streams) throws JournalException {
        return engine
                .query(
                        ASSIGNED,
                        query -> query.setObject(1, BinaryArray.ints(List.copyOf(streams), stream -> stream)),
                        this::read)
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** A row that isn't as it must be concerns nobody else; the log tells of it once. */
    private Optional<Assigned> read(ResultSet row) throws SQLException {
        String which = row.getString(1) + "/" + row.getString(2);
        try {
            Assigned assigned = new Assigned(SubscriptionRows.subscription(row), SubscriptionRows.cursor(row));
            unreadable.remove(which);
            return Optional.of(assigned);
        } catch (RuntimeException e) {
            if (unreadable.add(which)) {
                LOG.log(Level.ERROR, "subscription " + which + " can't be read, and sends nothing", e);
            }
            return Optional.empty();
        }
    }

    private static final String FENCE = """
            WITH fence AS (
                SELECT 1 AS held FROM flowstone.epochs
                WHERE shard = ? AND epoch = ? AND holder = ?
                FOR SHARE
            )
            """;

    private static final String ADVANCE = FENCE + """
            , moved AS (
                UPDATE flowstone.subscription_cursors c
                SET number = ?, events = ?, delivered = ?, error = ?, failed_at = ?, failing_since = ?,
                    blocked_event = ?, blocked_number = ?, blocked_events = ?
                FROM fence
                WHERE c.tenant = ? AND c.name = ? AND c.stream = ? AND c.turn = ?
                RETURNING 1
            )
            SELECT (SELECT count(*) FROM moved) FROM fence
            """;

    @Override
    public boolean advance(Lease lease, SubscriptionKey key, StreamCursor to) throws JournalException {
        List<Long> moved = engine.query(
                ADVANCE,
                query -> {
                    Fence.bind(query, 1, lease);
                    int bound = 3;
                    query.setLong(++bound, to.place().row());
                    query.setLong(++bound, to.place().events());
                    query.setLong(++bound, to.delivered());
                    query.setString(
                            ++bound,
                            to.failure()
                                    .map(Failure::error)
                                    .map(PostgresOutbox::storable)
                                    .orElse(null));
                    time(query, ++bound, to.failure().map(Failure::at));
                    time(query, ++bound, to.failingSince());
                    query.setString(++bound, to.blocked().map(Blocked::event).orElse(null));
                    Optional<FeedPlace> behind = to.blocked().map(Blocked::behind);
                    query.setLong(++bound, behind.map(FeedPlace::row).orElse(0L));
                    query.setLong(++bound, behind.map(FeedPlace::events).orElse(0L));
                    query.setString(++bound, key.tenant().value());
                    query.setString(++bound, key.name().value());
                    query.setInt(++bound, to.stream());
                    query.setLong(++bound, to.turn());
                },
                row -> row.getLong(1));
        if (moved.isEmpty()) {
            throw Fence.stale(lease);
        }
        return moved.getFirst() > 0;
    }

    private static void time(PreparedStatement query, int at, Optional<Instant> time) throws SQLException {
        @Nullable OffsetDateTime value = time.map(Times::parameter).orElse(null);
        query.setObject(at, value, Types.TIMESTAMP_WITH_TIMEZONE);
    }

    private static final String STOP = FENCE + """
            , stopped AS (
                UPDATE flowstone.subscriptions s
                SET state = ?, reason = ?, revision = s.revision + 1, changed_at = clock_timestamp(), changed_by = ?
                FROM fence
                WHERE s.tenant = ? AND s.name = ? AND s.revision = ? AND s.state = 'active'
                RETURNING s.tenant, s.name, s.reason
            ), told AS (
                INSERT INTO flowstone.subscription_deeds (tenant, name, done_at, deed, actor, detail, reason)
                SELECT tenant, name, clock_timestamp(), ?, ?, '', reason FROM stopped
            )
            SELECT held FROM fence
            """;

    @Override
    public void stop(Lease lease, SubscriptionKey key, long revision, State state, String reason)
            throws JournalException {
        List<Integer> held = engine.query(
                STOP,
                query -> {
                    Fence.bind(query, 1, lease);
                    int bound = 3;
                    query.setString(++bound, SubscriptionRows.word(state));
                    query.setString(++bound, PostgresOutbox.storable(reason));
                    query.setString(++bound, Actor.ENGINE.toString());
                    query.setString(++bound, key.tenant().value());
                    query.setString(++bound, key.name().value());
                    query.setLong(++bound, revision);
                    query.setString(++bound, state == State.PAUSED ? "pause" : "break");
                    query.setString(++bound, Actor.ENGINE.toString());
                },
                row -> row.getInt(1));
        if (held.isEmpty()) {
            throw Fence.stale(lease);
        }
    }

    private static final String LAGS = """
            SELECT s.tenant, s.name, s.state, sum(greatest(h.number - c.number, 0)) AS behind, min(f.committed_at)
            FROM flowstone.subscriptions s
            JOIN flowstone.subscription_cursors c ON c.tenant = s.tenant AND c.name = s.name
            CROSS JOIN LATERAL (
                SELECT coalesce((SELECT n.number FROM flowstone.feed n
                                 WHERE n.stream = c.stream
                                 ORDER BY n.number DESC
                                 LIMIT 1), 0) AS number
            ) h
            LEFT JOIN LATERAL (
                SELECT n.committed_at FROM flowstone.feed n
                WHERE n.stream = c.stream AND n.number > c.number
                ORDER BY n.number
                LIMIT 1
            ) f ON true
            WHERE (?::text IS NULL OR s.tenant = ?) AND (?::text IS NULL OR s.name = ?)
            GROUP BY s.tenant, s.name, s.state
            ORDER BY behind DESC, s.tenant, s.name
            LIMIT ?
            """;

    @Override
    public List<Lag> lags(Optional<TenantId> tenant, int limit) throws JournalException {
        return lags(tenant.map(TenantId::value).orElse(null), null, limit);
    }

    @Override
    public Optional<Lag> lag(SubscriptionKey key) throws JournalException {
        return lags(key.tenant().value(), key.name().value(), 1).stream().findFirst();
    }

    private List<Lag> lags(@Nullable String tenant, @Nullable String name, int limit) throws JournalException {
        return engine.query(
                LAGS,
                query -> {
                    query.setString(1, tenant);
                    query.setString(2, tenant);
                    query.setString(3, name);
                    query.setString(4, name);
                    query.setInt(5, limit);
                },
                row -> new Lag(
                        SubscriptionRows.key(row),
                        SubscriptionRows.state(row, 3),
                        row.getLong(4),
                        Times.optional(row, 5)));
    }

    private static final String BROKEN = """
            SELECT tenant, name FROM flowstone.subscriptions
            WHERE state = 'broken'
            ORDER BY tenant, name
            LIMIT ?
            """;

    @Override
    public List<SubscriptionKey> broken(int limit) throws JournalException {
        return engine.query(BROKEN, query -> query.setInt(1, limit), SubscriptionRows::key);
    }
}
