package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionName;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Subscriptions for people, as the API's role, each call in its tenant's transaction; the feed as the engine's. */
final class PostgresSubscriptions implements Subscriptions {
    private final Database engine;
    private final Database api;
    private final SubscriptionChanges changes;
    private final SubscriptionWork work;

    PostgresSubscriptions(Database engine, Database api) {
        this.engine = engine;
        this.api = api;
        this.changes = new SubscriptionChanges(api);
        this.work = new PostgresSubscriptionWork(engine);
    }

    @Override
    public SubscriptionWork work() {
        return work;
    }

    private static final String LIST = "SELECT " + SubscriptionRows.COLUMNS + """

            FROM flowstone.subscriptions s
            WHERE s.tenant = ? AND s.name > ?
            ORDER BY s.name
            LIMIT ?
            """;

    private static final String FIND = "SELECT " + SubscriptionRows.COLUMNS + """

            FROM flowstone.subscriptions s
            WHERE s.tenant = ? AND s.name = ?
            """;

    private static final String CURSORS = "SELECT " + SubscriptionRows.COLUMNS + ", " + SubscriptionRows.CURSOR + """

            FROM flowstone.subscriptions s
            JOIN flowstone.subscription_cursors c ON c.tenant = s.tenant AND c.name = s.name
            WHERE s.tenant = ? AND s.name = ANY (?::text[])
            ORDER BY s.name, c.stream
            """;

    @Override
    public List<Standing> list(TenantId tenant, Optional<SubscriptionName> after, int limit) throws JournalException {
        return api.asTenant(tenant, connection -> {
            List<Standing> page = Database.query(
                    connection,
                    LIST,
                    query -> {
                        query.setString(1, tenant.value());
                        query.setString(2, after.map(SubscriptionName::value).orElse(""));
                        query.setInt(3, limit);
                    },
                    row -> new Standing(SubscriptionRows.subscription(row), List.of()));
            return withCursors(connection, page);
        });
    }

    @Override
    public Optional<Standing> find(SubscriptionKey key) throws JournalException {
        return api.asTenant(key.tenant(), connection -> {
            List<Standing> found = Database.query(
                    connection,
                    FIND,
                    query -> SubscriptionRows.named(query, key, 0),
                    row -> new Standing(SubscriptionRows.subscription(row), List.of()));
            return withCursors(connection, found).stream().findFirst();
        });
    }

    private static List<Standing> withCursors(Connection connection, List<Standing> page) throws SQLException {
        if (page.isEmpty()) {
            return page;
        }
        Map<SubscriptionKey, List<StreamCursor>> cursors = new HashMap<>();
        Database.query(
                        connection,
                        CURSORS,
                        query -> {
                            query.setString(
                                    1,
                                    page.getFirst()
                                            .subscription()
                                            .key()
                                            .tenant()
                                            .value());
                            query.setObject(
                                    2,
                                    BinaryArray.texts(
                                            page,
                                            one -> one.subscription()
                                                    .key()
                                                    .name()
                                                    .value()));
                        },
                        row -> Map.entry(SubscriptionRows.key(row), SubscriptionRows.cursor(row)))
                .forEach(found -> cursors.computeIfAbsent(found.getKey(), _ -> new ArrayList<>())
                        .add(found.getValue()));
        return page.stream()
                .map(one -> new Standing(
                        one.subscription(),
                        cursors.getOrDefault(one.subscription().key(), List.of())))
                .toList();
    }

    private static final String DEEDS = """
            SELECT deed, done_at, detail, actor, reason
            FROM flowstone.subscription_deeds
            WHERE tenant = ? AND name = ?
            ORDER BY done_at DESC, deed
            LIMIT ?
            """;

    @Override
    public List<Done> deeds(SubscriptionKey key, int limit) throws JournalException {
        return api.queryAsTenant(
                key.tenant(),
                DEEDS,
                query -> query.setInt(SubscriptionRows.named(query, key, 0) + 1, limit),
                row -> new Done(
                        row.getString(1),
                        Times.instant(row, 2),
                        row.getString(3),
                        new Deed(Actor.parse(row.getString(4)), row.getString(5))));
    }

    @Override
    public Change put(SubscriptionKey key, Wish wish, Map<Integer, FeedPlace> begin, OptionalLong expected, Deed deed)
            throws JournalException {
        return changes.put(key, wish, begin, expected, deed);
    }

    @Override
    public Change pause(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException {
        return changes.pause(key, expected, deed);
    }

    @Override
    public Change resume(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException {
        return changes.resume(key, expected, deed);
    }

    @Override
    public Change move(SubscriptionKey key, Map<Integer, FeedPlace> to, String detail, OptionalLong expected, Deed deed)
            throws JournalException {
        return changes.move(key, to, detail, expected, deed);
    }

    @Override
    public Change skip(SubscriptionKey key, Optional<String> event, OptionalLong expected, Deed deed)
            throws JournalException {
        return changes.skip(key, event, expected, deed);
    }

    @Override
    public Change remove(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException {
        return changes.remove(key, expected, deed);
    }

    /**
     * Numbers have no gap, so each stream's row is found by halving: some two dozen rows are looked at, however long the feed is. Where a
     * clock was set back, it is one of those between which it happened.
     */
    private static final String BEFORE = """
            WITH RECURSIVE ends AS (
                SELECT s.stream,
                       coalesce((SELECT f.number FROM flowstone.feed f WHERE f.stream = s.stream
                                 ORDER BY f.number LIMIT 1), 1) AS first,
                       coalesce((SELECT f.number FROM flowstone.feed f WHERE f.stream = s.stream
                                 ORDER BY f.number DESC LIMIT 1), 0) AS last
                FROM unnest(?::integer[]) AS s (stream)
            ), search (stream, low, high) AS (
                SELECT stream, first, last + 1 FROM ends
                UNION ALL
                SELECT s.stream,
                       CASE WHEN m.earlier THEN (s.low + s.high) / 2 + 1 ELSE s.low END,
                       CASE WHEN m.earlier THEN s.high ELSE (s.low + s.high) / 2 END
                FROM search s
                CROSS JOIN LATERAL (
                    SELECT coalesce((SELECT f.committed_at < ? FROM flowstone.feed f
                                     WHERE f.stream = s.stream AND f.number = (s.low + s.high) / 2), true) AS earlier
                ) m
                WHERE s.low < s.high
            )
            SELECT stream, low - 1 FROM search WHERE low >= high
            """;

    @Override
    public Map<Integer, FeedPlace> before(Collection<Integer> streams, Instant at) throws JournalException {
        Map<Integer, FeedPlace> places = new HashMap<>();
        engine.query(
                        BEFORE,
                        query -> {
                            query.setObject(1, BinaryArray.ints(List.copyOf(streams), stream -> stream));
                            query.setObject(2, Times.parameter(at));
                        },
                        row -> Map.entry(row.getInt(1), FeedPlace.after(row.getLong(2))))
                .forEach(place -> places.put(place.getKey(), place.getValue()));
        return places;
    }
}
