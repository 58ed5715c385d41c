package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.execution.ExecutionStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One client's way through one execution: its events from a number on, out of its log, which keeps all of them, then those that
 * come, and at its end how it ended. Each is told under its number. Holds a page of events, however slow the client is.
 */
final class ExecutionReader {
    private static final Logger LOG = System.getLogger(ExecutionReader.class.getName());
    private static final int PAGE = 100;

    private final EventTail tail;
    private final RunReader runs;
    private final RunHistory history;
    private final Visitor visitor;
    private final RunKey key;
    private final int stream;
    private final Duration heartbeat;
    private long next;
    private int most = PAGE;

    /**
     * A reader.
     *
     * @param stream of the feed, in which each commit of the execution has a row
     * @param from the number of the first event
     */
    ExecutionReader(
            EventTail tail, RunReader runs, Visitor visitor, RunKey key, int stream, long from, Duration heartbeat) {
        this.tail = requireNonNull(tail);
        this.runs = requireNonNull(runs);
        this.history = new RunHistory(runs);
        this.visitor = requireNonNull(visitor);
        this.key = requireNonNull(key);
        this.stream = stream;
        this.next = from;
        this.heartbeat = requireNonNull(heartbeat);
    }

    /** Writes until the execution is over, the client goes, its token is over or the server stops. */
    void writeTo(OutputStream socket) throws IOException {
        Outlet out = new Outlet(visitor, socket);
        if (!tail.enter(out)) {
            out.comment("too many readers, or the server stops; come back later");
            return;
        }
        tail.follow(key, stream);
        try {
            out.write("retry: 1000\n\n");
            out.comment("from " + next);
            boolean over = false;
            while (!over && !tail.isClosed() && !visitor.isOver()) {
                // Looked at before the log is read: what comes after that wakes this one.
                long seen = tail.moves(key);
                over = drain(out);
                out.flush();
                if (!over && !tail.awaitMove(key, seen, visitor.atMost(heartbeat))) {
                    out.comment("still here");
                }
                out.check();
            }
            if (!over) {
                out.comment(
                        tail.isClosed() ? "the server stops" : "the token is no longer good; come back with a new one");
            }
        } catch (UncheckedIOException e) {
            // Our server's way to say that the client has gone.
            throw e;
        } catch (CorruptHistoryException e) {
            if (e.isNewer()) {
                LOG.log(
                        Level.WARNING,
                        "a reader of an execution is sent to a node of a later release: " + e.getMessage());
                out.comment("a later release has written what comes next; come back to a node that has it");
                return;
            }
            LOG.log(Level.WARNING, "a reader of an execution is told that it is damaged: " + e.getMessage());
            damaged(out, e);
        } catch (JournalException | RuntimeException e) {
            LOG.log(Level.WARNING, "a reader of an execution is sent away", e);
            out.comment("the server can't read on right now");
        } finally {
            tail.unfollow(key);
            tail.leave(out);
        }
    }

    /** Tells what there is; answers whether that was the end. */
    private boolean drain(Outlet out) throws IOException, JournalException {
        while (!visitor.isOver() && !tail.isClosed()) {
            // Read before the events, so that an execution which is over by then has none behind those.
            Optional<RunRow> row = runs.run(key.tenant(), key.run());
            if (row.isEmpty()) {
                // Archived meanwhile, so it was over.
                end(out, JsonObject.EMPTY);
                return true;
            }
            if (next > row.get().lastSequence()) {
                boolean over = row.get().status().isFinal();
                if (over) {
                    ExecutionStatus status = ExecutionStatus.of(row.get().status());
                    end(
                            out,
                            JsonObject.builder()
                                    .put("status", status.toString())
                                    .build());
                }
                return over;
            }
            List<Event> page = page();
            for (Event event : page) {
                out.write(
                        "id: " + event.sequence() + "\ndata: " + CanonicalJson.exactText(EventJson.of(event)) + "\n\n");
                next = event.sequence() + 1;
            }
            out.check();
        }
        return false;
    }

    /**
     * What comes next, at least one event unless the run is gone.
     *
     * @throws CorruptHistoryException if the next one can't be read
     */
    private List<Event> page() throws JournalException {
        List<Event> page;
        try {
            page = history.page(key.tenant(), key.run(), next, most);
        } catch (CorruptHistoryException e) {
            if (most == 1) {
                throw e;
            }
            // What stands before the damage is told, one by one.
            most = 1;
            return page();
        }
        if (page.isEmpty() && history.isThere(key.tenant(), key.run())) {
            throw new CorruptHistoryException(key, next, "the event is missing");
        }
        return page;
    }

    /** Comes under an id of its own, so that who comes back with it can be told to come no more. */
    private void damaged(Outlet out, CorruptHistoryException damage) throws IOException {
        JsonObject json = JsonObject.builder()
                .put("event", key.run() + "/" + next)
                .put("error", String.valueOf(damage.getMessage()))
                .build();
        out.write("id: " + new StreamPlace(next, true) + "\nevent: damaged\ndata: " + CanonicalJson.exactText(json)
                + "\n\n");
        end(out, JsonObject.EMPTY);
    }

    /** It carries no number of its own: who comes back has heard everything before it. */
    private static void end(Outlet out, JsonObject how) throws IOException {
        out.write("event: end\ndata: " + CanonicalJson.exactText(how) + "\n\n");
        out.flush();
    }
}
