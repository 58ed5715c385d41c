package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.Feed.FeedRow;
import dev.flowstone.engine.read.Feed.Moved;
import dev.flowstone.server.http.Caller;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Looks where the feed's streams end, in one query for all readers of a node and only while there are any, and wakes them
 * when something came. Also lets go of readers whose clients take nothing any more. Thread-safe.
 */
final class EventTail {
    private static final Logger LOG = System.getLogger(EventTail.class.getName());
    private static final Duration POLL = Duration.ofMillis(50);
    /** So many commits of a stream are looked into for who has moved; of more, all count as moved. */
    private static final int ROWS = 256;

    private static final Duration TROUBLE = Duration.ofSeconds(1);

    private final Feed feed;
    private final Set<Integer> streams;
    private final Duration patience;
    private final Places places;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Outlet> readers = new HashSet<>();
    private final Followed followed = new Followed();
    private Map<Integer, Long> heads = Map.of();
    private boolean polling;
    private boolean closed;

    /**
     * A tail.
     *
     * @param patience with a client that takes nothing
     * @param places for readers
     */
    EventTail(Feed feed, Collection<Integer> streams, Duration patience, Places places) {
        this.feed = requireNonNull(feed);
        this.streams = Set.copyOf(streams);
        this.patience = requireNonNull(patience);
        this.places = requireNonNull(places);
    }

    Set<Integer> streams() {
        return streams;
    }

    boolean hasPlace(Caller caller) {
        return places.has(caller);
    }

    /** Answers false if there is no place for its caller, or it is closed. */
    boolean enter(Outlet reader) {
        lock.lock();
        try {
            if (closed || !places.take(reader.caller())) {
                return false;
            }
            readers.add(reader);
            if (!polling) {
                polling = true;
                Thread.ofVirtual().name("flowstone-event-tail").start(this::poll);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave(Outlet reader) {
        lock.lock();
        try {
            if (readers.remove(reader)) {
                places.giveBack(reader.caller());
            }
        } finally {
            lock.unlock();
        }
    }

    /** A reader waits for this execution from now on; {@link #unfollow} when it has gone. */
    void follow(RunKey run, int stream) {
        lock.lock();
        try {
            followed.add(run, stream);
        } finally {
            lock.unlock();
        }
    }

    void unfollow(RunKey run) {
        lock.lock();
        try {
            followed.remove(run);
        } finally {
            lock.unlock();
        }
    }

    /** How often an execution that is followed has moved, as of the last look. */
    long moves(RunKey run) {
        lock.lock();
        try {
            return followed.moves(run);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until an execution that is followed has moved more often than that; answers false if it hasn't in time. */
    boolean awaitMove(RunKey run, long seen, Duration time) {
        return await(_ -> followed.moves(run) > seen, time);
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** The last row of a stream, as of the last look. */
    long head(int stream) {
        lock.lock();
        try {
            return heads.getOrDefault(stream, 0L);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there is more; answers false if nothing came in time.
     *
     * @param more told the last row of each stream
     */
    boolean await(Predicate<Map<Integer, Long>> more, Duration time) {
        lock.lock();
        try {
            long left = time.toNanos();
            while (!closed && left > 0) {
                if (more.test(heads)) {
                    return true;
                }
                left = changed.awaitNanos(left);
            }
            return closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void poll() {
        while (true) {
            Duration pause = POLL;
            try {
                Map<Integer, Long> now = feed.last(streams);
                look(now);
                tell(now);
            } catch (JournalException | RuntimeException e) {
                LOG.log(Level.WARNING, "readers of events wait: the feed can't be read", e);
                pause = TROUBLE;
            }
            if (!goesOn(pause)) {
                return;
            }
        }
    }

    /** Finds out which of the executions that are followed have moved since the last look, in one query a stream for all readers. */
    private void look(Map<Integer, Long> now) throws JournalException {
        Map<Integer, Long> before;
        Set<Integer> wanted;
        lock.lock();
        try {
            before = heads;
            wanted = followed.streams();
        } finally {
            lock.unlock();
        }
        for (int stream : wanted) {
            Long from = before.get(stream);
            long to = now.getOrDefault(stream, 0L);
            if (from == null || to > from) {
                Optional<Set<RunKey>> moved = from == null ? Optional.empty() : moved(stream, from, to);
                lock.lock();
                try {
                    moved.ifPresentOrElse(followed::moved, () -> followed.movedIn(stream));
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** Empty if that can't be told, or would take too many rows. */
    private Optional<Set<RunKey>> moved(int stream, long from, long to) throws JournalException {
        if (to - from > ROWS) {
            return Optional.empty();
        }
        List<FeedRow> rows = feed.read(stream, from, ROWS);
        return rows.size() < to - from
                ? Optional.empty()
                : Optional.of(rows.stream()
                        .flatMap(row -> row.moved().stream())
                        .map(Moved::run)
                        .collect(Collectors.toSet()));
    }

    private void tell(Map<Integer, Long> now) {
        lock.lock();
        try {
            if (!heads.equals(now)) {
                heads = Map.copyOf(now);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Pauses; answers whether anybody still reads. */
    private boolean goesOn(Duration pause) {
        lock.lock();
        try {
            List<Outlet> slow =
                    readers.stream().filter(reader -> reader.isStuck(patience)).toList();
            slow.forEach(Outlet::abandon);
            if (closed || readers.isEmpty()) {
                polling = false;
                return false;
            }
            long left = pause.toNanos();
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            polling = false;
            return false;
        } finally {
            lock.unlock();
        }
    }
}
