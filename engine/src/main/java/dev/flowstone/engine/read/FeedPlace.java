package dev.flowstone.engine.read;

/**
 * A place in a stream of the feed.
 *
 * @param row read to its end
 * @param events of the next row that were read
 */
public record FeedPlace(long row, long events) implements Comparable<FeedPlace> {
    public static final FeedPlace BEGIN = new FeedPlace(0, 0);

    public FeedPlace {
        if (row < 0 || events < 0) {
            throw new IllegalArgumentException("no place in a stream: " + row + "." + events);
        }
    }

    /** Behind a row. */
    public static FeedPlace after(long row) {
        return new FeedPlace(row, 0);
    }

    @Override
    public int compareTo(FeedPlace other) {
        int rows = Long.compare(row, other.row);
        return rows == 0 ? Long.compare(events, other.events) : rows;
    }
}
