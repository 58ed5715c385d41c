package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.Feed.Moved;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.Event;
import java.util.List;
import java.util.function.Predicate;

/** The way along a stream of the feed: its rows, and the events of some runs that they tell of, in order. Thread-safe. */
public final class FeedWalk {
    private static final int EVENTS = 64;

    private final Feed feed;
    private final RunHistory history;
    private final Predicate<RunKey> concerns;

    /** @param concerns whether a run's events are wanted; other tenants' runs are in the feed too */
    public FeedWalk(Feed feed, RunHistory history, Predicate<RunKey> concerns) {
        this.feed = requireNonNull(feed);
        this.history = requireNonNull(history);
        this.concerns = requireNonNull(concerns);
    }

    /** Is told of each event. */
    @FunctionalInterface
    public interface Step<X extends Exception> {
        /**
         * Takes an event.
         *
         * @param behind the place behind it
         * @return whether to go on
         */
        boolean take(Event event, FeedPlace behind) throws X;
    }

    /**
     * The rows behind a place, at most a page.
     *
     * @param wherever it may begin behind it, if those in between are gone
     * @throws EventsGoneException if the feed has lost some behind it
     */
    public List<FeedRow> rows(int stream, FeedPlace from, boolean wherever, int limit)
            throws JournalException, EventsGoneException {
        List<FeedRow> rows = feed.read(stream, from.row(), limit);
        if (!rows.isEmpty() && rows.getFirst().number() > from.row() + 1 && !wherever) {
            throw new EventsGoneException();
        }
        return rows;
    }

    /**
     * Walks the events of a row, but for those before a place.
     *
     * @return whether it came to the row's end
     * @throws DamagedRunException if a run's can't be read; those before that one were taken
     * @throws CorruptHistoryException if a later release has written what comes next; what stands before it was taken
     */
    public <X extends Exception> boolean events(FeedRow row, FeedPlace from, Step<X> step) throws X, JournalException {
        long passed = from.row() == row.number() - 1 ? from.events() : 0;
        long before = 0;
        for (Moved moved : row.moved()) {
            if (concerns.test(moved.run())
                    && !Aggregates.isAggregate(moved.run().run())
                    && !events(row, moved, before, Math.max(0, passed - before), step)) {
                return false;
            }
            before += moved.lastSequence() - moved.firstSequence() + 1;
        }
        return true;
    }

    /**
     * A run's part in a commit.
     *
     * @param before events of the same row that stand before it
     * @param passed of its own
     */
    private <X extends Exception> boolean events(FeedRow row, Moved moved, long before, long passed, Step<X> step)
            throws X, JournalException {
        long next = moved.firstSequence() + passed;
        int most = EVENTS;
        while (next <= moved.lastSequence()) {
            List<Event> page;
            try {
                page = page(moved, next, most);
            } catch (CorruptHistoryException e) {
                if (most > 1) {
                    // What stands before the damage is taken, one by one.
                    most = 1;
                    continue;
                }
                if (e.isNewer()) {
                    // It is whole, and others can read it: nobody may pass it over.
                    throw e;
                }
                long all = moved.lastSequence() - moved.firstSequence() + 1;
                throw new DamagedRunException(e, next, new FeedPlace(row.number() - 1, before + all));
            }
            if (page.isEmpty()) {
                // The feed remembers longer than the journal: the run was archived.
                return true;
            }
            for (Event event : page) {
                long behind = before + event.sequence() - moved.firstSequence() + 1;
                if (!step.take(event, new FeedPlace(row.number() - 1, behind))) {
                    return false;
                }
            }
            next += page.size();
        }
        return true;
    }

    /** At most so many of a run's events from a number on; none if the run is gone. */
    private List<Event> page(Moved moved, long next, int most) throws JournalException {
        RunKey key = moved.run();
        int wanted = (int) Math.min(most, moved.lastSequence() - next + 1);
        List<Event> page = history.page(key.tenant(), key.run(), next, wanted);
        if (page.isEmpty() && history.isThere(key.tenant(), key.run())) {
            throw new CorruptHistoryException(key, next, "the feed knows the event, the run doesn't");
        }
        return page;
    }
}
