package dev.flowstone.testkit.memory;

import dev.flowstone.engine.read.Feed;
import java.util.List;

/** The feed in memory: row number n of a stream is its n-th. */
final class InMemoryFeed implements Feed {
    private final InMemoryDatabase database;

    InMemoryFeed(InMemoryDatabase database) {
        this.database = database;
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
