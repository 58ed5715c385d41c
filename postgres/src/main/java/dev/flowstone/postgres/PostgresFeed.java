package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed;
import java.util.List;

/** The order for readers. */
final class PostgresFeed implements Feed {
    private static final String READ = """
            SELECT number, moved FROM flowstone.feed
            WHERE stream = ? AND number > ?
            ORDER BY number
            LIMIT ?
            """;

    private final Database engine;

    PostgresFeed(Database engine) {
        this.engine = engine;
    }

    @Override
    public List<FeedRow> read(int stream, long after, int limit) throws JournalException {
        return engine.query(
                READ,
                query -> {
                    query.setInt(1, stream);
                    query.setLong(2, after);
                    query.setInt(3, limit);
                },
                row -> new FeedRow(stream, row.getLong(1), FeedCodec.unpack(row.getBytes(2))));
    }
}
