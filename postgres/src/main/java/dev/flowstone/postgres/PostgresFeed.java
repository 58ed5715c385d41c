package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Feed;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

    private static final String LAST = """
            SELECT s.stream, coalesce((SELECT f.number FROM flowstone.feed f
                                       WHERE f.stream = s.stream
                                       ORDER BY f.number DESC
                                       LIMIT 1), 0)
            FROM unnest(?::integer[]) AS s (stream)
            """;

    @Override
    public Map<Integer, Long> last(Collection<Integer> streams) throws JournalException {
        return ends(LAST, streams);
    }

    private Map<Integer, Long> ends(String query, Collection<Integer> streams) throws JournalException {
        String list = streams.stream().map(Object::toString).collect(Collectors.joining(",", "{", "}"));
        Map<Integer, Long> ends = new HashMap<>();
        engine.query(query, it -> it.setString(1, list), row -> Map.entry(row.getInt(1), row.getLong(2)))
                .forEach(end -> ends.put(end.getKey(), end.getValue()));
        return ends;
    }

    private static final String FIRST = """
            SELECT s.stream, coalesce((SELECT f.number FROM flowstone.feed f
                                       WHERE f.stream = s.stream
                                       ORDER BY f.number
                                       LIMIT 1), 1)
            FROM unnest(?::integer[]) AS s (stream)
            """;

    @Override
    public Map<Integer, Long> first(Collection<Integer> streams) throws JournalException {
        return ends(FIRST, streams);
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
