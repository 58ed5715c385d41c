package dev.flowstone.postgres;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.StreamCursor.Blocked;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.Mark;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionName;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of subscriptions and of their cursors, as they are read. */
final class SubscriptionRows {
    /** For {@link #subscription}. */
    static final String COLUMNS =
            "s.tenant, s.name, s.revision, s.sink, s.target, s.types, s.workflows, s.state, s.reason,"
                    + " s.created_at, s.created_by, s.changed_at, s.changed_by";

    /** For {@link #cursor}, behind {@link #COLUMNS}. */
    static final String CURSOR = "c.stream, c.number, c.events, c.turn, c.delivered, c.error, c.failed_at,"
            + " c.failing_since, c.blocked_event, c.blocked_number, c.blocked_events";

    private static final int BEFORE_CURSOR = 13;

    private SubscriptionRows() {}

    static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static State state(String word) {
        return State.valueOf(word.toUpperCase(Locale.ROOT));
    }

    static Subscription subscription(ResultSet row) throws SQLException {
        return new Subscription(
                key(row),
                row.getLong(3),
                new Wish(
                        SinkAddress.of(row.getString(4), row.getString(5)),
                        texts(row, 6),
                        texts(row, 7).stream().map(WorkflowId::new).collect(Collectors.toUnmodifiableSet())),
                state(row.getString(8)),
                Optional.ofNullable(row.getString(9)),
                new Mark(Times.instant(row, 10), Actor.parse(row.getString(11))),
                new Mark(Times.instant(row, 12), Actor.parse(row.getString(13))));
    }

    /** Of the first two columns. */
    static SubscriptionKey key(ResultSet row) throws SQLException {
        return new SubscriptionKey(new TenantId(row.getString(1)), new SubscriptionName(row.getString(2)));
    }

    static State state(ResultSet row, int column) throws SQLException {
        return state(row.getString(column));
    }

    /** Binds a tenant and a name behind so many parameters; answers how many are bound then. */
    static int named(PreparedStatement statement, SubscriptionKey key, int before) throws SQLException {
        statement.setString(before + 1, key.tenant().value());
        statement.setString(before + 2, key.name().value());
        return before + 2;
    }

    private static Set<String> texts(ResultSet row, int column) throws SQLException {
        Object[] items = (Object[]) row.getArray(column).getArray();
        return Arrays.stream(items).map(Object::toString).collect(Collectors.toUnmodifiableSet());
    }

    static StreamCursor cursor(ResultSet row) throws SQLException {
        int at = BEFORE_CURSOR;
        int stream = row.getInt(++at);
        FeedPlace place = new FeedPlace(row.getLong(++at), row.getLong(++at));
        long turn = row.getLong(++at);
        long delivered = row.getLong(++at);
        @Nullable String error = row.getString(++at);
        Optional<Instant> failedAt = Times.optional(row, ++at);
        Optional<Instant> since = Times.optional(row, ++at);
        @Nullable String event = row.getString(++at);
        FeedPlace behind = new FeedPlace(row.getLong(++at), row.getLong(++at));
        return new StreamCursor(
                stream,
                place,
                turn,
                delivered,
                error == null ? Optional.empty() : failedAt.map(time -> new Failure(time, error)),
                since,
                event == null ? Optional.empty() : Optional.of(new Blocked(event, behind)));
    }
}
