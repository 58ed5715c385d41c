package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One client's way through the feed: every event that its filter admits, once, in the order of the feed, each with the
 * cursor to go on from. Holds a page of rows and a page of events, however slow the client is.
 */
final class EventReader {
    private static final Logger LOG = System.getLogger(EventReader.class.getName());
    private static final int ROWS = 32;

    private final EventTail tail;
    private final FeedWalk walk;
    private final Visitor visitor;
    private final EventFilter filter;
    private final Collection<Integer> streams;
    private final Duration heartbeat;
    private final Set<Integer> untouched;
    private FeedCursor cursor;

    EventReader(
            EventTail tail,
            FeedWalk walk,
            Visitor visitor,
            EventFilter filter,
            Collection<Integer> streams,
            FeedCursor cursor,
            boolean fromBegin,
            Duration heartbeat) {
        this.tail = requireNonNull(tail);
        this.walk = requireNonNull(walk);
        this.visitor = requireNonNull(visitor);
        this.filter = requireNonNull(filter);
        this.streams = List.copyOf(streams);
        this.cursor = requireNonNull(cursor);
        // Where nothing was read yet, the beginning is whatever is left of it by then.
        this.untouched = fromBegin ? new HashSet<>(streams) : new HashSet<>();
        this.heartbeat = requireNonNull(heartbeat);
    }

    /** Writes until the client goes, its token is over or the server stops. What ends it otherwise, the client finds out by coming back. */
    void writeTo(OutputStream socket) throws IOException {
        Outlet out = new Outlet(visitor, socket);
        if (!tail.enter(out)) {
            out.comment("too many readers, or the server stops; come back later");
            return;
        }
        try {
            out.write("retry: 1000\n\n");
            beat(out, "go on");
            while (!isEnd()) {
                boolean moved = false;
                for (int stream : streams) {
                    moved |= drain(stream, out);
                }
                out.flush();
                if (!moved && !tail.await(this::hasMore, visitor.atMost(heartbeat))) {
                    beat(out, "still here");
                }
                out.check();
            }
            beat(out, tail.isClosed() ? "the server stops" : "the token is no longer good; come back with a new one");
        } catch (UncheckedIOException e) {
            // Our server's way to say that the client has gone.
            throw e;
        } catch (EventsGoneException e) {
            out.comment("too slow: " + e.getMessage());
        } catch (CorruptHistoryException e) {
            LOG.log(Level.WARNING, "a reader of events is sent to a node of a later release: " + e.getMessage());
            out.comment("a later release has written what comes next; come back to a node that has it");
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "a reader of events is sent away", e);
            out.comment("the server can't read on right now");
        } finally {
            tail.leave(out);
        }
    }

    /** Whether a stream has more than was read. */
    private boolean hasMore(Map<Integer, Long> heads) {
        return streams.stream()
                .anyMatch(stream ->
                        heads.getOrDefault(stream, 0L) > cursor.place(stream).row());
    }

    private boolean isEnd() {
        return tail.isClosed() || visitor.isOver();
    }

    /** Reads a page of a stream; answers whether there was anything. */
    private boolean drain(int stream, Outlet out) throws IOException, JournalException, EventsGoneException {
        if (tail.head(stream) <= cursor.place(stream).row()) {
            return false;
        }
        List<FeedRow> rows = walk.rows(stream, cursor.place(stream), untouched.contains(stream), ROWS);
        untouched.remove(stream);
        for (FeedRow row : rows) {
            while (!isTold(row, stream, out)) {
                if (isEnd()) {
                    return true;
                }
                // The rest of it comes behind what is damaged.
            }
            cursor = cursor.at(stream, FeedPlace.after(row.number()));
            if (isEnd()) {
                return true;
            }
        }
        return !rows.isEmpty();
    }

    /** Tells a row; false if it came to a damaged run, which is said and passed over, or to the reader's end. */
    private boolean isTold(FeedRow row, int stream, Outlet out) throws IOException, JournalException {
        try {
            return walk.events(row, cursor.place(stream), (event, place) -> {
                cursor = cursor.at(stream, place);
                if (filter.admits(event)) {
                    out.write("id: " + cursor.text() + "\ndata: " + CanonicalJson.exactText(EventJson.of(event))
                            + "\n\n");
                }
                return !isEnd();
            });
        } catch (DamagedRunException e) {
            LOG.log(Level.WARNING, "a reader of events gets no more of a commit's: " + e.getMessage());
            cursor = cursor.at(stream, e.behind());
            JsonObject damage = JsonObject.builder()
                    .put("event", e.event())
                    .put("error", String.valueOf(e.getMessage()))
                    .build();
            out.write("id: " + cursor.text() + "\nevent: damaged\ndata: " + CanonicalJson.exactText(damage) + "\n\n");
            return false;
        }
    }

    /** Tells where it is, though nothing came that the filter admits: who comes back need not read all that again. */
    private void beat(Outlet out, String text) throws IOException {
        out.write("id: " + cursor.text() + "\n: " + text + "\n\n");
        out.flush();
    }
}
