package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.Caller;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One client's way through the feed: every event that its filter admits, once, in the order of the feed, each with the
 * cursor to go on from. Holds a page of rows and a page of events, however slow the client is.
 */
final class EventReader {
    private static final Logger LOG = System.getLogger(EventReader.class.getName());
    private static final int ROWS = 32;
    private static final int BUFFER = 16 << 10;

    private final EventTail tail;
    private final FeedWalk walk;
    private final Visitor visitor;
    private final EventFilter filter;
    private final Collection<Integer> streams;
    private final Duration heartbeat;
    private final Set<Integer> untouched;
    private FeedCursor cursor;
    private volatile long writingSince;
    private volatile @Nullable Thread thread;

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

    Caller caller() {
        return visitor.caller();
    }

    /** Writes until the client goes, its token is over or the server stops. What ends it otherwise, the client finds out by coming back. */
    void writeTo(OutputStream socket) throws IOException {
        OutputStream out = new BufferedOutputStream(socket, BUFFER);
        thread = Thread.currentThread();
        if (!tail.enter(this)) {
            comment(out, "too many readers, or the server stops; come back later");
            return;
        }
        try {
            write(out, "retry: 1000\n\n");
            beat(out, "go on");
            while (!isEnd()) {
                boolean moved = false;
                for (int stream : streams) {
                    moved |= drain(stream, out);
                }
                flush(out);
                if (!moved && !tail.await(cursor, streams, visitor.atMost(heartbeat))) {
                    beat(out, "still here");
                }
                if (Thread.interrupted()) {
                    throw new IOException("the reader was too slow");
                }
            }
            beat(out, tail.isClosed() ? "the server stops" : "the token is no longer good; come back with a new one");
        } catch (UncheckedIOException e) {
            // Our server's way to say that the client has gone.
            throw e;
        } catch (EventsGoneException e) {
            comment(out, "too slow: " + e.getMessage());
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "a reader of events is sent away", e);
            comment(out, "the server can't read on right now");
        } finally {
            tail.leave(this);
            thread = null;
        }
    }

    private boolean isEnd() {
        return tail.isClosed() || visitor.isOver();
    }

    /** Reads a page of a stream; answers whether there was anything. */
    private boolean drain(int stream, OutputStream out) throws IOException, JournalException, EventsGoneException {
        if (tail.head(stream) <= cursor.place(stream).row()) {
            return false;
        }
        List<FeedRow> rows = walk.rows(stream, cursor.place(stream), untouched.contains(stream), ROWS);
        untouched.remove(stream);
        for (FeedRow row : rows) {
            while (!isTold(row, stream, out)) {
                // The rest of it comes behind what is damaged.
            }
            cursor = cursor.at(stream, FeedPlace.after(row.number()));
            if (isEnd()) {
                return true;
            }
        }
        return !rows.isEmpty();
    }

    /** Tells a row; false if it came to a damaged run, which is said and passed over. */
    private boolean isTold(FeedRow row, int stream, OutputStream out) throws IOException, JournalException {
        try {
            return walk.events(row, cursor.place(stream), (event, place) -> {
                cursor = cursor.at(stream, place);
                if (filter.admits(event)) {
                    write(
                            out,
                            "id: " + cursor.text() + "\ndata: " + CanonicalJson.exactText(EventJson.of(event))
                                    + "\n\n");
                }
                return true;
            });
        } catch (DamagedRunException e) {
            LOG.log(Level.ERROR, "a reader of events gets no more of a commit's", e);
            cursor = cursor.at(stream, e.behind());
            JsonObject damage = JsonObject.builder()
                    .put("event", e.event())
                    .put("error", String.valueOf(e.getMessage()))
                    .build();
            write(out, "id: " + cursor.text() + "\nevent: damaged\ndata: " + CanonicalJson.exactText(damage) + "\n\n");
            return false;
        }
    }

    /** Tells where it is, though nothing came that the filter admits: who comes back need not read all that again. */
    private void beat(OutputStream out, String text) throws IOException {
        write(out, "id: " + cursor.text() + "\n: " + text + "\n\n");
        flush(out);
    }

    private void comment(OutputStream out, String text) throws IOException {
        write(out, ": " + text + "\n\n");
        flush(out);
    }

    private void write(OutputStream out, String text) throws IOException {
        writingSince = System.nanoTime() | 1;
        out.write(text.getBytes(StandardCharsets.UTF_8));
        writingSince = 0;
    }

    private void flush(OutputStream out) throws IOException {
        writingSince = System.nanoTime() | 1;
        out.flush();
        writingSince = 0;
    }

    /** Whether its client has taken nothing for so long. */
    boolean isStuck(Duration patience) {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since > patience.toNanos();
    }

    /** Ends its connection: interrupting a virtual thread that writes to a socket closes the socket. */
    void abandon() {
        Thread writing = thread;
        if (writing != null) {
            writing.interrupt();
        }
    }
}
