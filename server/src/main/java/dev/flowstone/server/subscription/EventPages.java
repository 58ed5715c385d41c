package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.server.stream.EventsGoneException;
import dev.flowstone.server.stream.FeedWalk;
import java.util.ArrayList;
import java.util.List;

/** What a subscription wants of one stream, in bounded pages. */
final class EventPages {
    private static final int ROWS = 256;
    private static final int EVENTS = 256;

    private final FeedWalk walk;
    private final Wish wish;
    private final int stream;
    private final PageRoom room;

    EventPages(Feed feed, RunHistory history, Subscription subscription, int stream, PageRoom room) {
        this.walk = new FeedWalk(
                feed, history, run -> run.tenant().equals(subscription.key().tenant()));
        this.wish = requireNonNull(subscription.wish());
        this.stream = stream;
        this.room = requireNonNull(room);
    }

    /**
     * A part of a stream.
     *
     * @param events in it that are wanted, in order
     * @param end the place behind it
     * @param bytes of the node's room, to be given back when it is done with
     */
    record Page(List<OutEvent> events, FeedPlace end, long bytes) {
        Page {
            events = List.copyOf(events);
            requireNonNull(end);
        }

        /** Nothing of it. */
        static Page none(FeedPlace at) {
            return new Page(List.of(), at, 0);
        }
    }

    /**
     * What comes behind a place; it ends there if nothing does. It has one event at least, if there is one, and ends before what can't be
     * read.
     *
     * @throws JournalException if not even the first can be
     */
    Page read(FeedPlace from) throws JournalException, EventsGoneException {
        Reading reading = new Reading(from, room.take());
        try {
            reading.read();
        } catch (JournalException | RuntimeException e) {
            if (reading.end.equals(from)) {
                room.giveBack(reading.taken);
                throw e;
            }
        } catch (EventsGoneException | Error e) {
            room.giveBack(reading.taken);
            throw e;
        }
        room.giveBack(reading.taken - reading.bytes);
        return new Page(reading.events, reading.end, reading.bytes);
    }

    private final class Reading {
        private final List<OutEvent> events = new ArrayList<>();
        private final long taken;
        private FeedPlace end;
        private long bytes;

        Reading(FeedPlace from, long taken) {
            this.end = from;
            this.taken = taken;
        }

        private void read() throws JournalException, EventsGoneException {
            for (FeedRow row : walk.rows(stream, end, false, ROWS)) {
                if (!walk.events(row, end, this::takes)) {
                    return;
                }
                end = FeedPlace.after(row.number());
            }
        }

        /** Whether there is room for more. */
        private boolean takes(Event event, FeedPlace behind) {
            if (wish.admits(event)) {
                OutEvent out = OutEvent.of(event, behind);
                events.add(out);
                bytes += out.bytes();
            }
            end = behind;
            return events.size() < EVENTS && (events.isEmpty() || bytes < taken);
        }
    }
}
