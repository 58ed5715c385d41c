package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A feed that remembers, of each stream, the few rows that were read last: of all who wait at a stream's end for the same rows, one asks
 * the database. Rows never change, so what is remembered is true, though there may be more by now. Thread-safe.
 */
final class SharedFeed implements Feed {
    /** Parts of runs in commits that are remembered of a stream at most. */
    private static final int MOST = 256;

    private final Feed feed;
    private final Map<Integer, Remembered> last = new ConcurrentHashMap<>();

    SharedFeed(Feed feed) {
        this.feed = requireNonNull(feed);
    }

    private record Remembered(long after, int limit, List<FeedRow> rows) {}

    @Override
    public List<FeedRow> read(int stream, long after, int limit) throws JournalException {
        Remembered there = last.get(stream);
        if (there != null && there.after() == after && there.limit() == limit) {
            return there.rows();
        }
        List<FeedRow> rows = feed.read(stream, after, limit);
        int parts = rows.stream().mapToInt(row -> row.moved().size()).sum();
        if (!rows.isEmpty() && parts <= MOST) {
            last.put(stream, new Remembered(after, limit, rows));
        }
        return rows;
    }

    @Override
    public Map<Integer, Long> last(Collection<Integer> streams) throws JournalException {
        return feed.last(streams);
    }

    @Override
    public Map<Integer, Long> first(Collection<Integer> streams) throws JournalException {
        return feed.first(streams);
    }
}
