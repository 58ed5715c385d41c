package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.server.stream.EventsGoneException;
import dev.flowstone.server.stream.FeedWalk;
import java.util.ArrayList;
import java.util.List;

/** What a subscription wants of one stream, in bounded pages. */
final class EventPages {
    private static final int ROWS = 256;
    private static final int EVENTS = 256;
    private static final long BYTES = 4 << 20;

    private final FeedWalk walk;
    private final Wish wish;
    private final int stream;

    EventPages(Feed feed, RunHistory history, Subscription subscription, int stream) {
        this.walk = new FeedWalk(
                feed, history, run -> run.tenant().equals(subscription.key().tenant()));
        this.wish = requireNonNull(subscription.wish());
        this.stream = stream;
    }

    /**
     * A part of a stream.
     *
     * @param events in it that are wanted, in order
     * @param end the place behind it
     */
    record Page(List<OutEvent> events, FeedPlace end) {
        Page {
            events = List.copyOf(events);
            requireNonNull(end);
        }
    }

    /** What comes behind a place; it ends there if nothing does. */
    Page read(FeedPlace from) throws JournalException, EventsGoneException {
        List<OutEvent> events = new ArrayList<>();
        Room room = new Room();
        FeedPlace end = from;
        for (FeedRow row : walk.rows(stream, from, false, ROWS)) {
            boolean whole = walk.events(row, end, (event, behind) -> {
                if (wish.admits(event)) {
                    OutEvent out = OutEvent.of(event, behind);
                    events.add(out);
                    room.bytes += out.body().length;
                }
                return events.size() < EVENTS && room.bytes < BYTES;
            });
            if (!whole) {
                return new Page(events, events.getLast().behind());
            }
            end = FeedPlace.after(row.number());
        }
        return new Page(events, end);
    }

    private static final class Room {
        private long bytes;
    }
}
