package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Reply;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Streams of events for clients who stay, as Server-Sent Events. Thread-safe; close it before the server. */
public final class EventStreams implements AutoCloseable {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int READERS = 500;
    private static final int OF_A_PRINCIPAL = 50;

    private final Feed feed;
    private final RunReader runs;
    private final RunHistory history;
    private final List<Shard> shards;
    private final EventTail tail;
    private final Duration heartbeat;
    private final InstantSource clock;

    /**
     * Streams.
     *
     * @param heartbeat how often a client hears something at least
     * @param patience with a client that takes nothing
     * @param places for readers
     * @param clock by which callers are known until some time
     */
    EventStreams(Ports ports, Duration heartbeat, Duration patience, Places places, InstantSource clock) {
        this.feed = ports.feed();
        this.runs = ports.runs();
        this.history = new RunHistory(runs);
        this.shards = ports.leases().shards();
        this.heartbeat = requireNonNull(heartbeat);
        this.tail = new EventTail(feed, shards.stream().map(Shard::stream).toList(), patience, places);
        this.clock = requireNonNull(clock);
    }

    public static EventStreams of(Ports ports) {
        return new EventStreams(
                ports, HEARTBEAT, PATIENCE, new Places(READERS, OF_A_PRINCIPAL), InstantSource.system());
    }

    /** Whether one more of that caller's would be let in now. */
    public boolean hasPlace(Caller caller) {
        return tail.hasPlace(caller);
    }

    /**
     * A stream that goes on behind an event, or from now on, or from the first event that the feed still has. It ends when its caller has
     * to show anew who they are.
     *
     * @param lastEventId of the event that came last; wins over {@code fromBegin}
     * @throws IllegalArgumentException if that is no id of an event under this filter
     * @throws EventsGoneException if the feed has lost some behind it
     */
    public Reply.Outpour open(Caller caller, EventFilter filter, Optional<String> lastEventId, boolean fromBegin)
            throws JournalException, EventsGoneException {
        Collection<Integer> streams = streams(filter);
        FeedCursor cursor;
        if (lastEventId.isPresent()) {
            cursor = FeedCursor.parse(lastEventId.get(), filter, streams);
            checkWhole(cursor, feed.first(streams));
        } else {
            cursor = FeedCursor.after(filter, fromBegin ? before(feed.first(streams)) : feed.last(streams));
        }
        boolean begins = fromBegin && lastEventId.isEmpty();
        FeedWalk walk = new FeedWalk(
                feed,
                history,
                key -> key.tenant().equals(filter.tenant())
                        && filter.run().map(key.run()::equals).orElse(true));
        Visitor visitor = new Visitor(caller, clock);
        return out -> new EventReader(tail, walk, visitor, filter, streams, cursor, begins, heartbeat).writeTo(out);
    }

    /**
     * An execution's events from a number on, up to its end.
     *
     * @param from the number of the first one
     */
    public Reply.Outpour open(Caller caller, RunId run, long from) {
        int stream = shards.stream().filter(shard -> shard.holds(run.slot())).findFirst().orElseThrow().stream();
        RunKey key = new RunKey(caller.tenant(), run);
        Visitor visitor = new Visitor(caller, clock);
        return out -> new ExecutionReader(tail, runs, visitor, key, stream, from, heartbeat).writeTo(out);
    }

    /** Whether that event of an execution can be read. */
    public boolean isReadable(TenantId tenant, RunId run, long event) throws JournalException {
        try {
            return !history.page(tenant, run, event, 1).isEmpty();
        } catch (CorruptHistoryException _) {
            return false;
        }
    }

    /** A run's events are all in its shard's stream. */
    private Collection<Integer> streams(EventFilter filter) {
        return shards.stream()
                .filter(shard ->
                        filter.run().map(run -> shard.holds(run.slot())).orElse(true))
                .map(Shard::stream)
                .toList();
    }

    private static void checkWhole(FeedCursor cursor, Map<Integer, Long> first) throws EventsGoneException {
        for (Map.Entry<Integer, Long> stream : first.entrySet()) {
            if (cursor.place(stream.getKey()).row() + 1 < stream.getValue()) {
                throw new EventsGoneException();
            }
        }
    }

    private static Map<Integer, Long> before(Map<Integer, Long> first) {
        Map<Integer, Long> before = new HashMap<>();
        first.forEach((stream, number) -> before.put(stream, number - 1));
        return before;
    }

    /** Lets every reader go, each with the place to come back to. */
    @Override
    public void close() {
        tail.close();
    }
}
