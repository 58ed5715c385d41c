package dev.flowstone.testkit.memory;

import dev.flowstone.engine.read.Feed;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The feed in memory: row number n of a stream is its n-th. */
final class InMemoryFeed implements Feed {
    private final InMemoryDatabase database;

    InMemoryFeed(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public Map<Integer, Long> last(Collection<Integer> streams) {
        synchronized (database) {
            Map<Integer, Long> last = new HashMap<>();
            for (int stream : streams) {
                last.put(stream, (long)
                        database.feed.getOrDefault(stream, List.of()).size());
            }
            return last;
        }
    }

    /** Nothing is ever removed from it. */
    @Override
    public Map<Integer, Long> first(Collection<Integer> streams) {
        return streams.stream().distinct().collect(Collectors.toMap(stream -> stream, _ -> 1L));
    }

    @Override
    public List<FeedRow> read(int stream, long after, int limit) {
        synchronized (database) {
            return database.feed.getOrDefault(stream, List.of()).stream()
                    .skip(after)
                    .limit(limit)
                    .toList();
        }
    }
}
