package dev.flowstone.engine.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.StreamCursor.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a cursor has failed is how long somebody has tried. */
final class StreamCursorTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    private static StreamCursor failing(Optional<Instant> since, Optional<Instant> last) {
        return new StreamCursor(
                1, FeedPlace.BEGIN, 1, 0, last.map(at -> new Failure(at, "500")), since, Optional.empty());
    }

    @Test
    void timeInWhichNobodyTriedDoesNotCount() {
        StreamCursor cursor = failing(Optional.of(NOON), Optional.of(NOON.plusSeconds(600)));
        Instant dayAfter = NOON.plus(Duration.ofDays(1));

        assertEquals(
                Optional.of(dayAfter.minusSeconds(600)),
                cursor.takenOn(dayAfter).failingSince());
        assertEquals(cursor.failure(), cursor.takenOn(dayAfter).failure());
    }

    @Test
    void clocksOfSeveralNodesMayDiffer() {
        StreamCursor cursor = failing(Optional.of(NOON), Optional.of(NOON.minusSeconds(1)));

        assertEquals(Optional.of(NOON), cursor.takenOn(NOON).failingSince());
    }

    @Test
    void whatDoesNotFailStaysAsItIs() {
        StreamCursor cursor = failing(Optional.empty(), Optional.empty());

        assertEquals(cursor, cursor.takenOn(NOON));
    }
}
