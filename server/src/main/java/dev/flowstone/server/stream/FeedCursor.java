package dev.flowstone.server.stream;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How far a reader has come: in each stream the last row that it has read to its end, and how many events of the next one.
 * Immutable. Its text is opaque to clients and belongs to one filter.
 */
final class FeedCursor {
    private static final Pattern TEXT = Pattern.compile("1/[0-9a-f]{12}(/[0-9]{1,9}\\.[0-9]{1,18}(\\.[0-9]{1,18})?)*");

    private final String filter;
    private final SortedMap<Integer, Place> places;

    private FeedCursor(String filter, SortedMap<Integer, Place> places) {
        this.filter = filter;
        this.places = places;
    }

    /**
     * A place in a stream.
     *
     * @param row read to its end
     * @param events of the next row that were read
     */
    record Place(long row, long events) {
        static final Place BEGIN = new Place(0, 0);
    }

    /** After these rows. */
    static FeedCursor after(EventFilter filter, Map<Integer, Long> rows) {
        SortedMap<Integer, Place> places = new TreeMap<>();
        rows.forEach((stream, row) -> places.put(stream, new Place(row, 0)));
        return new FeedCursor(filter.fingerprint(), places);
    }

    /** A stream that is not in it is new, and is read from its beginning. */
    Place place(int stream) {
        return places.getOrDefault(stream, Place.BEGIN);
    }

    FeedCursor at(int stream, Place place) {
        SortedMap<Integer, Place> moved = new TreeMap<>(places);
        moved.put(stream, place);
        return new FeedCursor(filter, moved);
    }

    String text() {
        StringBuilder text = new StringBuilder("1/").append(filter);
        places.forEach((stream, place) -> {
            text.append('/').append(stream).append('.').append(place.row());
            if (place.events() > 0) {
                text.append('.').append(place.events());
            }
        });
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Reads it.
     *
     * @param streams that there are
     * @throws IllegalArgumentException if it is none, or of another filter
     */
    static FeedCursor parse(String text, EventFilter filter, Collection<Integer> streams) {
        String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
        if (!TEXT.matcher(plain).matches()) {
            throw new IllegalArgumentException("this is no id of an event of this route");
        }
        String[] parts = plain.split("/", -1);
        if (!parts[1].equals(filter.fingerprint())) {
            throw new IllegalArgumentException("this is the id of an event of another tenant, or under other filters");
        }
        SortedMap<Integer, Place> places = new TreeMap<>();
        for (int i = 2; i < parts.length; i++) {
            String[] numbers = parts[i].split("\\.", -1);
            int stream = Integer.parseInt(numbers[0]);
            if (!streams.contains(stream)) {
                throw new IllegalArgumentException("this is the id of an event of another database");
            }
            places.put(
                    stream, new Place(Long.parseLong(numbers[1]), numbers.length > 2 ? Long.parseLong(numbers[2]) : 0));
        }
        return new FeedCursor(parts[1], places);
    }
}
