package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionWork.Lag;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.subscription.Subscriptions.Standing;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.stream.FeedCursor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Subscriptions with what people call their places: now, the beginning, a time, a cursor's text. Thread-safe. */
public final class SubscriptionControl {
    private static final int MOST_LAGS = 10_000;

    private final Subscriptions subscriptions;
    private final Feed feed;
    private final List<Integer> streams;
    private final Sinks sinks;

    /** @param shards whose streams subscriptions follow */
    public SubscriptionControl(Subscriptions subscriptions, Feed feed, Collection<Shard> shards, Sinks sinks) {
        this.subscriptions = requireNonNull(subscriptions);
        this.feed = requireNonNull(feed);
        this.streams = shards.stream().map(Shard::stream).toList();
        this.sinks = requireNonNull(sinks);
    }

    /** Where to. */
    public sealed interface Target {
        /** Behind all that is there. */
        record Now() implements Target {}

        /** Before all that is left. */
        record Beginning() implements Target {}

        /** Before what was committed then, and later. */
        record At(Instant time) implements Target {
            public At {
                requireNonNull(time);
            }
        }

        /** Where a cursor is. */
        record Cursor(String text) implements Target {
            public Cursor {
                requireNonNull(text);
            }
        }
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** Why nothing can be sent there from this node; empty if it can. */
    public Optional<String> fault(SinkAddress address) {
        return sinks.fault(address);
    }

    /** How far one is behind; empty if there is none. */
    public Optional<Lag> lag(SubscriptionKey key) throws JournalException {
        return subscriptions.work().lag(key);
    }

    /** How far a tenant's are behind. */
    public Map<SubscriptionKey, Lag> lags(TenantId tenant) throws JournalException {
        return subscriptions.work().lags(Optional.of(tenant), MOST_LAGS).stream()
                .collect(Collectors.toMap(Lag::key, lag -> lag));
    }

    /** How far it has come, as text. */
    public String cursor(Standing standing) {
        Map<Integer, FeedPlace> places =
                standing.cursors().stream().collect(Collectors.toMap(StreamCursor::stream, StreamCursor::place));
        return text(standing.subscription().key(), places);
    }

    private static String text(SubscriptionKey key, Map<Integer, FeedPlace> places) {
        return FeedCursor.of(owner(key), places).text();
    }

    private static String owner(SubscriptionKey key) {
        return Sha256.digest(("subscription\n" + key.tenant() + "\n" + key.name()).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 12);
    }

    /**
     * The places that a target means, in all streams.
     *
     * @throws IllegalArgumentException if it is no cursor of this subscription, or one that is ahead of the feed
     */
    public Map<Integer, FeedPlace> places(SubscriptionKey key, Target target)
            throws JournalException, CursorGoneException {
        Map<Integer, Long> first = feed.first(streams);
        Map<Integer, FeedPlace> oldest = after(first, 1);
        Map<Integer, FeedPlace> places = switch (target) {
            case Target.Now _ -> after(feed.last(streams), 0);
            case Target.Beginning _ -> oldest;
            case Target.At(Instant time) -> subscriptions.before(streams, time);
            case Target.Cursor(String text) -> parsed(key, text);
        };
        for (int stream : streams) {
            FeedPlace from = places.getOrDefault(stream, FeedPlace.BEGIN);
            FeedPlace begin = oldest.getOrDefault(stream, FeedPlace.BEGIN);
            // A time that is before the first row that is left may be one of which rows are gone.
            boolean unsure = target instanceof Target.At && begin.row() > 0 && from.equals(begin);
            if (from.compareTo(begin) < 0 || unsure) {
                throw new CursorGoneException(text(key, oldest));
            }
        }
        return places;
    }

    private static Map<Integer, FeedPlace> after(Map<Integer, Long> rows, long before) {
        Map<Integer, FeedPlace> places = new HashMap<>();
        rows.forEach((stream, row) -> places.put(stream, FeedPlace.after(row - before)));
        return places;
    }

    private Map<Integer, FeedPlace> parsed(SubscriptionKey key, String text) throws JournalException {
        FeedCursor cursor;
        try {
            cursor = FeedCursor.parse(text, owner(key), streams);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("this is no cursor that this subscription had", e);
        }
        Map<Integer, Long> last = feed.last(streams);
        Map<Integer, FeedPlace> places = new HashMap<>();
        for (int stream : streams) {
            FeedPlace place = cursor.place(stream);
            if (place.row() > last.getOrDefault(stream, 0L)) {
                throw new IllegalArgumentException("this cursor is ahead of all events; it is of another database");
            }
            places.put(stream, place);
        }
        return places;
    }
}
