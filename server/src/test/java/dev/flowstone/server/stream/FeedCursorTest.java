package dev.flowstone.server.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cursor says where to go on, to the one whom it was given. */
final class FeedCursorTest {
    private static final EventFilter FILTER = filter("acme", Set.of());
    private static final List<Integer> STREAMS = List.of(1, 2, 17);

    private static EventFilter filter(String tenant, Set<String> kinds) {
        return new EventFilter(new TenantId(tenant), Optional.empty(), Optional.empty(), kinds);
    }

    @Test
    void comesBackFromItsText() {
        FeedCursor cursor = FeedCursor.after(FILTER, Map.of(1, 0L, 2, 45L)).at(17, new FeedPlace(16, 3));

        FeedCursor read = FeedCursor.parse(cursor.text(), FILTER, STREAMS);

        assertEquals(new FeedPlace(45, 0), read.place(2));
        assertEquals(new FeedPlace(16, 3), read.place(17));
        assertEquals(cursor.text(), read.text());
    }

    @Test
    void comesBackFromItsTextHoweverManyStreamsThereAre() {
        Map<Integer, FeedPlace> places = IntStream.range(0, 4_096)
                .boxed()
                .collect(Collectors.toMap(stream -> stream, stream -> new FeedPlace(stream, 1)));

        FeedCursor read =
                FeedCursor.parse(FeedCursor.of(FILTER.fingerprint(), places).text(), FILTER, places.keySet());

        assertEquals(new FeedPlace(4_095, 1), read.place(4_095));
    }

    @Test
    void aStreamThatItDoesNotKnowIsReadFromItsBeginning() {
        FeedCursor cursor =
                FeedCursor.parse(FeedCursor.after(FILTER, Map.of(1, 9L)).text(), FILTER, STREAMS);

        assertEquals(FeedPlace.BEGIN, cursor.place(2));
    }

    @Test
    void belongsToItsTenantAndFilter() {
        String text = FeedCursor.after(FILTER, Map.of(1, 9L)).text();

        for (EventFilter other : List.of(filter("other", Set.of()), filter("acme", Set.of("RunFailed")))) {
            assertThrows(IllegalArgumentException.class, () -> FeedCursor.parse(text, other, STREAMS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "2/FILTER/1.5", "1/FILTER/1", "1/FILTER/1.5.x", "1/FILTER/99.5", "1/FILTER/1.-5"})
    void whatIsNoneIsRefused(String plain) {
        String text = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(plain.replace("FILTER", FILTER.fingerprint()).getBytes(StandardCharsets.US_ASCII));

        assertThrows(IllegalArgumentException.class, () -> FeedCursor.parse(text, FILTER, STREAMS));
        assertThrows(IllegalArgumentException.class, () -> FeedCursor.parse("!!" + text, FILTER, STREAMS));
    }
}
