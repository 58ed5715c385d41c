package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.FeedPlace;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How far a reader has come: in each stream the last row that it has read to its end, and how many events of the next one.
 * Immutable. Its text is opaque to clients and belongs to one owner: a filter, or a subscription.
 */
public final class FeedCursor {
    /** Possessive: of a greedy group each place would take some of the stack. */
    private static final Pattern TEXT =
            Pattern.compile("1/[0-9a-f]{12}(?:/[0-9]{1,9}\\.[0-9]{1,18}(?:\\.[0-9]{1,18})?)*+");

    private final String owner;
    private final SortedMap<Integer, FeedPlace> places;

    private FeedCursor(String owner, SortedMap<Integer, FeedPlace> places) {
        this.owner = requireNonNull(owner);
        this.places = places;
    }

    /** After these rows. */
    static FeedCursor after(EventFilter filter, Map<Integer, Long> rows) {
        SortedMap<Integer, FeedPlace> places = new TreeMap<>();
        rows.forEach((stream, row) -> places.put(stream, FeedPlace.after(row)));
        return new FeedCursor(filter.fingerprint(), places);
    }

    /** At these places. */
    public static FeedCursor of(String owner, Map<Integer, FeedPlace> places) {
        return new FeedCursor(owner, new TreeMap<>(places));
    }

    /** A stream that is not in it is new, and is read from its beginning. */
    public FeedPlace place(int stream) {
        return places.getOrDefault(stream, FeedPlace.BEGIN);
    }

    FeedCursor at(int stream, FeedPlace place) {
        SortedMap<Integer, FeedPlace> moved = new TreeMap<>(places);
        moved.put(stream, place);
        return new FeedCursor(owner, moved);
    }

    public String text() {
        StringBuilder text = new StringBuilder("1/").append(owner);
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

    /** The cursor of a filter. */
    static FeedCursor parse(String text, EventFilter filter, Collection<Integer> streams) {
        return parse(text, filter.fingerprint(), streams);
    }

    /**
     * Reads it.
     *
     * @param owner twelve digits to the base 16
     * @param streams that there are
     * @throws IllegalArgumentException if it is none, or somebody else's
     */
    public static FeedCursor parse(String text, String owner, Collection<Integer> streams) {
        String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
        if (!TEXT.matcher(plain).matches()) {
            throw new IllegalArgumentException("this is no id of an event of this route");
        }
        String[] parts = plain.split("/", -1);
        if (!parts[1].equals(owner)) {
            throw new IllegalArgumentException("this is the id of an event of another tenant, or under other filters");
        }
        SortedMap<Integer, FeedPlace> places = new TreeMap<>();
        for (int i = 2; i < parts.length; i++) {
            String[] numbers = parts[i].split("\\.", -1);
            int stream = Integer.parseInt(numbers[0]);
            if (!streams.contains(stream)) {
                throw new IllegalArgumentException("this is the id of an event of another database");
            }
            places.put(
                    stream,
                    new FeedPlace(Long.parseLong(numbers[1]), numbers.length > 2 ? Long.parseLong(numbers[2]) : 0));
        }
        return new FeedCursor(parts[1], places);
    }
}
