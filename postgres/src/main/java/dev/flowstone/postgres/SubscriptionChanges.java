package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.subscription.Subscriptions.Change;
import dev.flowstone.engine.subscription.Subscriptions.Deed;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What people change of subscriptions, each change in one transaction of its tenant, with its deed. */
final class SubscriptionChanges {
    private final Database api;

    SubscriptionChanges(Database api) {
        this.api = api;
    }

    /** Changes of a tenant's subscriptions stand in line, also those that make one. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 23))";

    private static final String REVISION =
            "SELECT revision FROM flowstone.subscriptions WHERE tenant = ? AND name = ? FOR UPDATE";

    /** Does it, once the subscription is locked and found to be as expected. */
    @FunctionalInterface
    private interface Step {
        Change take(Connection connection, boolean isThere) throws SQLException;
    }

    private Change change(SubscriptionKey key, OptionalLong expected, boolean makes, Step step)
            throws JournalException {
        return api.asTenant(key.tenant(), connection -> {
            execute(connection, LOCK, lock -> lock.setString(1, key.tenant().value()));
            Optional<Long> revision = Database.query(
                            connection, REVISION, query -> SubscriptionRows.named(query, key, 0), row -> row.getLong(1))
                    .stream()
                    .findFirst();
            if (revision.isEmpty() && (!makes || expected.isPresent())) {
                return new Change.Unknown();
            }
            if (revision.isPresent() && expected.isPresent() && revision.get() != expected.getAsLong()) {
                return new Change.OtherRevision(revision.get());
            }
            return step.take(connection, revision.isPresent());
        });
    }

    private static final String COUNT = "SELECT count(*) FROM flowstone.subscriptions WHERE tenant = ?";

    private static final String INSERT = """
            INSERT INTO flowstone.subscriptions (tenant, name, revision, sink, target, types, workflows, state, created_at,
                                                 created_by, changed_at, changed_by)
            VALUES (?, ?, 1, ?, ?, ?, ?, 'active', clock_timestamp(), ?, clock_timestamp(), ?)
            """;

    private static final String UPDATE = """
            UPDATE flowstone.subscriptions
            SET sink = ?, target = ?, types = ?, workflows = ?, revision = revision + 1, changed_at = clock_timestamp(),
                changed_by = ?
            WHERE tenant = ? AND name = ?
            """;

    /** A subscription of a name that was there before has other turns than that one. */
    private static final String BEGIN = """
            INSERT INTO flowstone.subscription_cursors (tenant, name, stream, number, events, turn)
            SELECT ?, ?, u.stream, u.number, u.events, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
            FROM unnest(?::integer[], ?::bigint[], ?::bigint[]) AS u (stream, number, events)
            """;

    /** Whoever sends by what was wanted before doesn't move the cursor any more. */
    private static final String ANEW = """
            UPDATE flowstone.subscription_cursors
            SET turn = turn + 1, error = NULL, failed_at = NULL, failing_since = NULL, blocked_event = NULL
            WHERE tenant = ? AND name = ?
            """;

    Change put(SubscriptionKey key, Wish wish, Map<Integer, FeedPlace> begin, OptionalLong expected, Deed deed)
            throws JournalException {
        return change(key, expected, true, (connection, isThere) -> {
            if (isThere) {
                execute(connection, UPDATE, update -> {
                    int bound = wish(update, wish, 0);
                    update.setString(++bound, deed.actor().toString());
                    SubscriptionRows.named(update, key, bound);
                });
                execute(connection, ANEW, update -> SubscriptionRows.named(update, key, 0));
            } else {
                long there = Database.query(
                                connection,
                                COUNT,
                                query -> query.setString(1, key.tenant().value()),
                                row -> row.getLong(1))
                        .getFirst();
                if (there >= Subscriptions.MOST) {
                    return new Change.TooMany();
                }
                execute(connection, INSERT, insert -> {
                    int bound = wish(insert, wish, SubscriptionRows.named(insert, key, 0));
                    insert.setString(++bound, deed.actor().toString());
                    insert.setString(++bound, deed.actor().toString());
                });
                execute(connection, BEGIN, insert -> places(insert, begin, SubscriptionRows.named(insert, key, 0)));
            }
            tell(connection, key, "put", wish.sink().kind() + " " + wish.sink().target(), deed);
            return new Change.Made(!isThere);
        });
    }

    private static int wish(PreparedStatement statement, Wish wish, int before) throws SQLException {
        int bound = before;
        statement.setString(++bound, wish.sink().kind());
        statement.setString(++bound, wish.sink().target());
        statement.setObject(
                ++bound, BinaryArray.texts(wish.types().stream().sorted().toList(), type -> type));
        statement.setObject(
                ++bound, BinaryArray.texts(wish.workflows().stream().sorted().toList(), WorkflowId::value));
        return bound;
    }

    private static final String STATE = """
            UPDATE flowstone.subscriptions
            SET state = ?, reason = nullif(?, ''), revision = revision + 1, changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND name = ?
            """;

    Change pause(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException {
        return change(key, expected, false, (connection, _) -> {
            state(connection, key, "paused", deed);
            tell(connection, key, "pause", "", deed);
            return new Change.Made(false);
        });
    }

    Change resume(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException {
        return change(key, expected, false, (connection, _) -> {
            state(connection, key, "active", new Deed(deed.actor(), ""));
            execute(connection, ANEW, update -> SubscriptionRows.named(update, key, 0));
            tell(connection, key, "resume", "", deed);
            return new Change.Made(false);
        });
    }

    private static void state(Connection connection, SubscriptionKey key, String state, Deed deed) throws SQLException {
        execute(connection, STATE, update -> {
            update.setString(1, state);
            update.setString(2, deed.reason());
            update.setString(3, deed.actor().toString());
            SubscriptionRows.named(update, key, 3);
        });
    }

    /** One that people have paused stays so. */
    private static final String MOVED = """
            UPDATE flowstone.subscriptions
            SET state = CASE state WHEN 'broken' THEN 'active' ELSE state END,
                reason = CASE state WHEN 'broken' THEN NULL ELSE reason END,
                revision = revision + 1, changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND name = ?
            """;

    private static final String MOVE = """
            INSERT INTO flowstone.subscription_cursors AS c (tenant, name, stream, number, events, turn)
            SELECT ?, ?, u.stream, u.number, u.events, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
            FROM unnest(?::integer[], ?::bigint[], ?::bigint[]) AS u (stream, number, events)
            ON CONFLICT (tenant, name, stream) DO UPDATE
            SET number = excluded.number, events = excluded.events, turn = c.turn + 1, error = NULL, failed_at = NULL,
                failing_since = NULL, blocked_event = NULL
            """;

    Change move(SubscriptionKey key, Map<Integer, FeedPlace> to, String detail, OptionalLong expected, Deed deed)
            throws JournalException {
        return change(key, expected, false, (connection, _) -> {
            execute(connection, ANEW, update -> SubscriptionRows.named(update, key, 0));
            execute(connection, MOVE, insert -> places(insert, to, SubscriptionRows.named(insert, key, 0)));
            moved(connection, key, deed);
            tell(connection, key, "rewind", detail, deed);
            return new Change.Made(false);
        });
    }

    private static void places(PreparedStatement statement, Map<Integer, FeedPlace> places, int before)
            throws SQLException {
        List<Map.Entry<Integer, FeedPlace>> rows = List.copyOf(places.entrySet());
        statement.setObject(before + 1, BinaryArray.ints(rows, Map.Entry::getKey));
        statement.setObject(
                before + 2, BinaryArray.longs(rows, row -> row.getValue().row()));
        statement.setObject(
                before + 3, BinaryArray.longs(rows, row -> row.getValue().events()));
    }

    private static void moved(Connection connection, SubscriptionKey key, Deed deed) throws SQLException {
        execute(connection, MOVED, update -> {
            update.setString(1, deed.actor().toString());
            SubscriptionRows.named(update, key, 1);
        });
    }

    private static final String BLOCKED = """
            SELECT blocked_event FROM flowstone.subscription_cursors
            WHERE tenant = ? AND name = ? AND blocked_event IS NOT NULL
            ORDER BY blocked_event
            """;

    /** The engine may move a cursor meanwhile: what it moves isn't held up, and its event is not passed over. */
    private static final String SKIP = """
            UPDATE flowstone.subscription_cursors
            SET number = blocked_number, events = blocked_events, turn = turn + 1, error = NULL, failed_at = NULL,
                failing_since = NULL, blocked_event = NULL
            WHERE tenant = ? AND name = ? AND blocked_event = ?
            """;

    /** Other streams, too, are given their time again; who works on them now begins anew with it. */
    private static final String FORGIVE = """
            UPDATE flowstone.subscription_cursors SET failing_since = NULL, turn = turn + 1
            WHERE tenant = ? AND name = ? AND failing_since IS NOT NULL
            """;

    Change skip(SubscriptionKey key, Optional<String> event, OptionalLong expected, Deed deed) throws JournalException {
        return change(key, expected, false, (connection, _) -> {
            List<String> blocked = Database.query(
                    connection, BLOCKED, query -> SubscriptionRows.named(query, key, 0), row -> row.getString(1));
            Optional<String> meant = event.isPresent()
                    ? event.filter(blocked::contains)
                    : blocked.size() == 1 ? Optional.of(blocked.getFirst()) : Optional.empty();
            if (meant.isEmpty()) {
                return new Change.NotBlocked(blocked);
            }
            int passed = execute(
                    connection,
                    SKIP,
                    update -> update.setString(SubscriptionRows.named(update, key, 0) + 1, meant.get()));
            if (passed == 0) {
                return new Change.NotBlocked(List.of());
            }
            execute(connection, FORGIVE, update -> SubscriptionRows.named(update, key, 0));
            moved(connection, key, deed);
            tell(connection, key, "skip", meant.get(), deed);
            return new Change.Made(false);
        });
    }

    private static final String REMOVE = "DELETE FROM flowstone.subscriptions WHERE tenant = ? AND name = ?";

    private static final String FORGET = "DELETE FROM flowstone.subscription_cursors WHERE tenant = ? AND name = ?";

    Change remove(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException {
        return change(key, expected, false, (connection, _) -> {
            execute(connection, REMOVE, delete -> SubscriptionRows.named(delete, key, 0));
            execute(connection, FORGET, delete -> SubscriptionRows.named(delete, key, 0));
            tell(connection, key, "remove", "", deed);
            return new Change.Made(false);
        });
    }

    private static final String TELL = """
            INSERT INTO flowstone.subscription_deeds (tenant, name, done_at, deed, actor, detail, reason)
            VALUES (?, ?, clock_timestamp(), ?, ?, ?, ?)
            """;

    private static void tell(Connection connection, SubscriptionKey key, String what, String detail, Deed deed)
            throws SQLException {
        execute(connection, TELL, insert -> {
            int bound = SubscriptionRows.named(insert, key, 0);
            insert.setString(++bound, what);
            insert.setString(++bound, deed.actor().toString());
            insert.setString(++bound, detail);
            insert.setString(++bound, deed.reason());
        });
    }

    /** How many rows it changed. */
    private static int execute(Connection connection, String sql, Database.Binding binding) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(statement);
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }
}
